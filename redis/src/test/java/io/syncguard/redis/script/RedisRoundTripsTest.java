package io.syncguard.redis.script;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.limit.RateLimiter;
import io.syncguard.redis.OnOneRedis;
import io.syncguard.secret.SealingKey;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** That an operation is one command, as Redis's MONITOR has it. */
class RedisRoundTripsTest extends OnOneRedis {

  private static final Pattern COMMAND_OF_A_CLIENT =
      Pattern.compile("^\\+[0-9.]+ \\[\\d+ (?!lua)\\S+] \"([^\"]+)\".*");

  @Test
  void everyOperationOnSecretsIsOneCommand() throws IOException {
    SealingKey key = SealingKey.random();
    SecretId[] ids = new SecretId[2];
    assertOneCommandEach(
        () -> ids[0] = guard.secrets().put(new byte[] {1}, Views.of(2), TTL),
        () -> guard.secrets().peek(ids[0]),
        () -> guard.secrets().view(ids[0]),
        () -> guard.secrets().view(ids[0]),
        () -> guard.secrets().view(ids[0]),
        () -> guard.secrets().burn(ids[0]),
        () -> ids[1] = guard.secrets().putSealed(new byte[] {1}, key, Views.of(1), TTL),
        () -> guard.secrets().view(ids[1], key));
  }

  @Test
  void everyOperationOnCountersAndRateLimitersIsOneCommand() throws IOException {
    RateLimiter limiter = guard.rateLimiter("r", 1, TTL, 1);
    assertOneCommandEach(
        () -> guard.counters().current("k"),
        () -> guard.counters().increment("k", 1, TTL),
        () -> guard.counters().increment("k", 1, TTL),
        () -> guard.counters().current("k"),
        () -> guard.counters().reset("k"),
        limiter::tryAcquire,
        limiter::tryAcquire);
  }

  /** What Redis has not seen yet is sent twice; so all are run once before they count. */
  private void assertOneCommandEach(Runnable... operations) throws IOException {
    List.of(operations).forEach(Runnable::run);
    server.command("FLUSHALL");
    for (int i = 0; i < operations.length; i++) {
      assertThat(commandsDuring(operations[i])).as("operation %d", i + 1).hasSize(1);
    }
  }

  private List<String> commandsDuring(Runnable operation) throws IOException {
    try (Socket monitor = new Socket(InetAddress.getLoopbackAddress(), server.port());
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(monitor.getInputStream(), US_ASCII))) {
      monitor.getOutputStream().write("MONITOR\r\n".getBytes(US_ASCII));
      assertThat(lines.readLine()).isEqualTo("+OK");
      operation.run();
      server.command("ECHO", "that was all");
      List<String> commands = new ArrayList<>();
      for (String line = lines.readLine();
          !line.contains("that was all");
          line = lines.readLine()) {
        Matcher command = COMMAND_OF_A_CLIENT.matcher(line);
        if (command.matches()) {
          commands.add(command.group(1));
        }
      }
      return commands;
    }
  }
}
