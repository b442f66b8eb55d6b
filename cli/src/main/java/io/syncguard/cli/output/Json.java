package io.syncguard.cli.output;

import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes JSON, in one line: maps, lists, numbers, booleans, null, and text for all else. */
public final class Json {

  private Json() {}

  /** Returns fields that stay in this order: a name, its value, a name, its value. */
  public static Map<String, @Nullable Object> object(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put(String.valueOf(namesAndValues[i]), namesAndValues[i + 1]);
    }
    return fields;
  }

  public static String of(@Nullable Object value) {
    StringBuilder json = new StringBuilder();
    write(value, json);
    return json.toString();
  }

  private static void write(@Nullable Object value, StringBuilder json) {
    if (value == null || value instanceof Boolean || value instanceof Number) {
      json.append(value);
    } else if (value instanceof Map<?, ?> fields) {
      writeFields(fields.entrySet().iterator(), json);
    } else if (value instanceof Iterable<?> elements) {
      writeElements(elements.iterator(), json);
    } else if (value instanceof Duration duration) {
      json.append(duration.toMillis());
    } else if (value instanceof Instant instant) {
      // What has no end does not fit into milliseconds.
      json.append(instant.equals(Instant.MAX) ? null : Long.valueOf(instant.toEpochMilli()));
    } else {
      writeText(value.toString(), json);
    }
  }

  private static void writeFields(Iterator<? extends Map.Entry<?, ?>> fields, StringBuilder json) {
    json.append('{');
    while (fields.hasNext()) {
      Map.Entry<?, ?> field = fields.next();
      writeText(String.valueOf(field.getKey()), json);
      json.append(':');
      write(field.getValue(), json);
      if (fields.hasNext()) {
        json.append(',');
      }
    }
    json.append('}');
  }

  private static void writeElements(Iterator<?> elements, StringBuilder json) {
    json.append('[');
    while (elements.hasNext()) {
      write(elements.next(), json);
      if (elements.hasNext()) {
        json.append(',');
      }
    }
    json.append(']');
  }

  private static void writeText(String text, StringBuilder json) {
    json.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        json.append('\\').append(c);
      } else if (c < ' ' || c == 0x7f || Character.isSurrogate(c)) {
        json.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        json.append(c);
      }
    }
    json.append('"');
  }
}
