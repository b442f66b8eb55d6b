package io.syncguard.bench.handoff;

import io.syncguard.bench.redis.ClientCommands;
import io.syncguard.bench.redis.Monitor;
import io.syncguard.bench.redis.Server;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** What clients send to Redis, heartbeats and all, without what scripts call in turn. */
final class RedisRequests implements RequestMeter {

  private static final Duration AUDIT = Duration.ofSeconds(1);
  private static final double WORTH_A_WORD = 0.005;

  private final Server server;
  private final ClientCommands counter;
  private final Map<String, Double> sent = new TreeMap<>();
  private Map<String, Long> before = Map.of();
  private long acquisitions;

  RedisRequests(Server server) {
    this.server = server;
    this.counter = new ClientCommands(server);
  }

  @Override
  public void calibrate(Fleet fleet) throws IOException, InterruptedException {
    try (Monitor monitor = new Monitor(server)) {
      fleet.contend(AUDIT);
      counter.calibrate(monitor.end());
    }
  }

  @Override
  public void begin() {
    before = counter.calls();
  }

  @Override
  public void end(HandOffs done) {
    counter
        .sentBetween(before, counter.calls())
        .forEach((command, count) -> sent.merge(command, count, Double::sum));
    acquisitions += done.all();
  }

  @Override
  public double each() {
    return sent.values().stream().mapToDouble(Double::doubleValue).sum() / acquisitions;
  }

  @Override
  public String breakdown() {
    return sent.entrySet().stream()
        .filter(entry -> entry.getValue() / acquisitions >= WORTH_A_WORD)
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .map(entry -> String.format("%s %.2f", entry.getKey(), entry.getValue() / acquisitions))
        .collect(Collectors.joining(", "));
  }
}
