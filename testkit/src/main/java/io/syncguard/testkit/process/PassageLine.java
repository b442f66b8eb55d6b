package io.syncguard.testkit.process;

import io.syncguard.testkit.history.HandOffHistory.Passage;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A passage as a worker tells its parent of it, by {@link System#nanoTime}, which processes of one
 * machine share.
 */
final class PassageLine {
  private static final String WORD = "passage";

  private PassageLine() {}

  static String of(Passage passage) {
    return LongStream.of(
            passage.ticket(),
            passage.places(),
            passage.slot(),
            passage.fence(),
            passage.askedAt(),
            passage.joinedAt(),
            passage.acquiredAt(),
            passage.releasedAt())
        .collect(
            () -> new StringBuilder(WORD),
            (line, field) -> line.append(' ').append(field),
            StringBuilder::append)
        .toString();
  }

  /** Reads a line; empty if it is not a passage, such as what a library prints. */
  static Optional<Passage> parse(String line) {
    String[] words = line.split(" ", -1);
    if (!words[0].equals(WORD) || words.length != 9) {
      return Optional.empty();
    }
    long[] fields = Arrays.stream(words, 1, words.length).mapToLong(Long::parseLong).toArray();
    return Optional.of(
        new Passage(
            fields[0],
            (int) fields[1],
            (int) fields[2],
            fields[3],
            fields[4],
            fields[5],
            fields[6],
            fields[7]));
  }
}
