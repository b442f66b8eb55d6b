package io.syncguard.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** How a command ended. */
final class Outcome {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final int code;
  private final byte[] output;
  private final String errors;

  Outcome(int code, byte[] output, String errors) {
    this.code = code;
    this.output = output;
    this.errors = errors;
  }

  int code() {
    return code;
  }

  byte[] output() {
    return output;
  }

  String errors() {
    return errors;
  }

  String text() {
    return new String(output, UTF_8).strip();
  }

  String[] words() {
    return text().split(" ", -1);
  }

  JsonNode json() {
    return parse(text());
  }

  List<JsonNode> jsonLines() {
    return text().lines().map(Outcome::parse).toList();
  }

  static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError("No JSON: " + text, e);
    }
  }

  @Override
  public String toString() {
    return "code " + code + ", output '" + text() + "', errors '" + errors.strip() + "'";
  }
}
