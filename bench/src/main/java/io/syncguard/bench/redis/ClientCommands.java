package io.syncguard.bench.redis;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts what clients send, without what scripts call in turn. INFO commandstats has both in one
 * number, so an untimed run is watched through MONITOR, which tells them apart, and gives the share
 * of each command that comes from clients. That share makes a count of the timed runs, in which
 * there is no monitor.
 */
public final class ClientCommands {

  private final Server server;
  private final Map<String, Double> clientShare = new HashMap<>();

  public ClientCommands(Server server) {
    this.server = server;
  }

  /** Learns the shares from what was monitored. */
  public void calibrate(Monitor.Counts monitored) {
    clientShare.clear();
    for (String command : monitored.all().keySet()) {
      clientShare.put(
          command,
          (double) monitored.fromClients().getOrDefault(command, 0L)
              / monitored.all().getOrDefault(command, 1L));
    }
  }

  /** Returns how often each command ran so far, in scripts or not. */
  public Map<String, Long> calls() {
    Map<String, Long> calls = new TreeMap<>();
    server
        .info("commandstats")
        .forEach(
            (name, fields) -> {
              String command = name.substring("cmdstat_".length()).split("\\|", 2)[0];
              long count = Long.parseLong(fields.substring("calls=".length()).split(",", 2)[0]);
              calls.merge(command, count, Long::sum);
            });
    calls.remove("info");
    return calls;
  }

  /** Returns how many of each command came from clients between two looks at {@link #calls}. */
  public Map<String, Double> sentBetween(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Double> sent = new TreeMap<>();
    after.forEach(
        (command, count) -> {
          double share = clientShare.getOrDefault(command, 1.0);
          double calls = (count - before.getOrDefault(command, 0L)) * share;
          if (calls > 0) {
            sent.put(command, calls);
          }
        });
    return sent;
  }
}
