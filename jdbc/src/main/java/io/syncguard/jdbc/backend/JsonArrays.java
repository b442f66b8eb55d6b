package io.syncguard.jdbc.backend;

import java.util.stream.Collector;
import java.util.stream.Collectors;

/** How scripts get a list. */
final class JsonArrays {

  private JsonArrays() {}

  /** An id has no character that JSON would want escaped. */
  static Collector<CharSequence, ?, String> ofIds() {
    return Collectors.collectingAndThen(
        Collectors.joining("\",\""), ids -> ids.isEmpty() ? "[]" : "[\"" + ids + "\"]");
  }
}
