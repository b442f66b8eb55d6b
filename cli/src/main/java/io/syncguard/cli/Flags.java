package io.syncguard.cli;

import java.util.Arrays;
import java.util.List;

/** Flags that count before the command line is parsed, and if it cannot be. */
final class Flags {

  private Flags() {}

  /** Returns whether one of these is among the words that are not those of a command to run. */
  static boolean isGiven(String[] args, String... names) {
    List<String> words = Arrays.asList(args);
    int end = words.indexOf("--");
    return words.subList(0, end < 0 ? words.size() : end).stream()
        .anyMatch(Arrays.asList(names)::contains);
  }
}
