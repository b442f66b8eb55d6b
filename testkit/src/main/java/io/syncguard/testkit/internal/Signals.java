package io.syncguard.testkit.internal;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** Sends signals to processes. */
public final class Signals {

  private Signals() {}

  /** Blocks until it is sent. Uses the shell's own kill: minimal images lack the program. */
  public static void send(String name, List<ProcessHandle> handles) {
    if (handles.isEmpty()) {
      return;
    }
    String pids =
        handles.stream().map(ProcessHandle::pid).map(String::valueOf).collect(joining(" "));
    String command = "kill -" + name + " " + pids;
    try {
      Process kill = new ProcessBuilder("sh", "-c", command).inheritIO().start();
      if (kill.waitFor() != 0 && handles.stream().allMatch(ProcessHandle::isAlive)) {
        throw new IllegalStateException("Failed: " + command);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Failed: " + command, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while signalling a process", e);
    }
  }
}
