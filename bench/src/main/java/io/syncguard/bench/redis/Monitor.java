package io.syncguard.bench.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads MONITOR on its own connection until it is closed. */
public final class Monitor implements AutoCloseable {

  /** How often each command ran, and how often of these a client had sent it. */
  public record Counts(Map<String, Long> all, Map<String, Long> fromClients) {}

  private static final Pattern LINE = Pattern.compile("^\\+[0-9.]+ \\[\\d+ (\\S+)] \"([^\"]+)\"");

  private final Socket socket;
  private final BufferedReader lines;
  private final Thread reader;
  private final Counts counts = new Counts(new HashMap<>(), new HashMap<>());

  public Monitor(Server server) throws IOException {
    RedisURI address = server.address();
    this.socket = new Socket(address.getHost(), address.getPort());
    this.lines =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
    RedisCredentials credentials = address.getCredentialsProvider().resolveCredentials().block();
    if (credentials != null && credentials.hasPassword()) {
      String user = credentials.hasUsername() ? credentials.getUsername() + " " : "";
      ask("AUTH " + user + new String(credentials.getPassword()));
    }
    ask("MONITOR");
    this.reader = new Thread(this::read, "monitor");
    reader.start();
  }

  private void ask(String command) throws IOException {
    socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
    String answer = lines.readLine();
    if (!"+OK".equals(answer)) {
      throw new IOException("Redis answered " + answer);
    }
  }

  private void read() {
    try {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        count(line);
      }
    } catch (IOException e) {
      // The socket was closed, which is how reading ends.
    }
  }

  private void count(@Nullable String line) {
    Matcher matcher = LINE.matcher(String.valueOf(line));
    if (matcher.find()) {
      String command = matcher.group(2).toLowerCase(Locale.ROOT);
      counts.all().merge(command, 1L, Long::sum);
      if (!matcher.group(1).equals("lua")) {
        counts.fromClients().merge(command, 1L, Long::sum);
      }
    }
  }

  /** Stops and returns what was counted. */
  public Counts end() throws IOException, InterruptedException {
    // What was sent before must be read before.
    Thread.sleep(200);
    close();
    reader.join();
    return counts;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
