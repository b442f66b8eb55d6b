package io.syncguard.redis.lock;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * One way to write a lock record in JSON.
 *
 * @param name what is unusual about it
 * @param key the user's key
 * @param template the record, with $id, $fence and $expires for what a lock puts in
 */
record Spelling(String name, String key, String template) {

  private static final List<String> FIELDS =
      List.of(
          "\"key\":\"k\"",
          "\"lockId\":\"$id\"",
          "\"fence\":\"$fence\"",
          "\"acquiredAtMs\":1",
          "\"expiresAtMs\":$expires");

  static final String REST = "\"lockId\":\"$id\",\"fence\":\"$fence\",\"acquiredAtMs\":1";

  /** Unknown things that a record may hold, and that must stay as they are. */
  private static final String EXTRAS =
      """
      "list":[],"object":{},"nothing":null,"yes":true,"long":12345678901234567890,\
      "pi":3.14159265358979323846,"meta":{"a":[1,{"b":"\\u00e9"}]}\
      """;

  String of(ForeignLock lock, long expiresAtMs) {
    return template
        .replace("$id", lock.lockId().value())
        .replace("$fence", ForeignLock.FENCE)
        .replace("$expires", Long.toString(expiresAtMs));
  }

  static Stream<Spelling> everyOrder() {
    List<List<String>> orders = new ArrayList<>();
    permute(new ArrayList<>(), FIELDS, orders);
    return orders.stream()
        .map(order -> String.join(",", order))
        .map(fields -> new Spelling(fields, "k", "{" + fields + "}"));
  }

  private static void permute(List<String> head, List<String> rest, List<List<String>> orders) {
    if (rest.isEmpty()) {
      orders.add(head);
    }
    for (String next : rest) {
      List<String> longer = new ArrayList<>(head);
      longer.add(next);
      permute(longer, rest.stream().filter(field -> !field.equals(next)).toList(), orders);
    }
  }

  static Stream<Spelling> unusual() {
    String expires = "\"expiresAtMs\":$expires";
    return Stream.of(
        new Spelling(
            "white space",
            "k",
            " {\n\t\"key\" : \"k\" ,\r\n \"lockId\" : \"$id\", \"fence\":\"$fence\" ,"
                + "\"acquiredAtMs\" : 1 , \"expiresAtMs\"\t:  $expires  }\n "),
        new Spelling("unknown fields first", "k", "{" + EXTRAS + "," + REST + "," + expires + "}"),
        new Spelling("unknown fields last", "k", "{" + REST + "," + expires + "," + EXTRAS + "}"),
        new Spelling(
            "unknown fields, spaced", "k", "{ " + expires + " , " + EXTRAS + "," + REST + "}"),
        new Spelling(
            "only what matters", "k", "{" + expires + ",\"fence\":\"$fence\",\"lockId\":\"$id\"}"),
        new Spelling(
            "escaped names",
            "k",
            "{\"lock\\u0049d\":\"$id\",\"f\\u0065nce\":\"$fence\",\"expires\\u0041tMs\":$expires}"),
        new Spelling("a fraction", "k", "{" + REST + ",\"expiresAtMs\":$expires.5}"),
        new Spelling("an exponent", "k", "{" + REST + ",\"expiresAtMs\":$expiresE+0}"),
        new Spelling(
            "an unknown field where ours has none",
            "k",
            "{\"key\":\"k\",\"lockId\":\"$id\",\"note\":\"AAAAAAAAAAAAAAAAAAAAAA\","
                + "\"fence\":\"$fence\",\"acquiredAtMs\":1,\"expiresAtMs\":$expires}"),
        new Spelling(
            "names in nested objects",
            "k",
            "{\"meta\":{\"lockId\":\"x\",\"expiresAtMs\":1}," + REST + "," + expires + "}"),
        new Spelling(
            "names in nested objects last",
            "k",
            "{" + REST + "," + expires + ",\"meta\":{\"lockId\":\"x\",\"expiresAtMs\":1}}"),
        new Spelling(
            "names twice: the last counts",
            "k",
            "{\"lockId\":\"x\",\"expiresAtMs\":1," + REST + "," + expires + "}"),
        new Spelling(
            "names in values",
            "k",
            "{\"x\":\"\\\"expiresAtMs\\\":1, \\\"expiresAtMs\\\": 2\","
                + expires
                + ","
                + REST
                + ",\"y\":\"expiresAtMs\"}"),
        new Spelling(
            "names that end alike",
            "k",
            "{\"a\\\"expiresAtMs\":1,\"b,\\\"expiresAtMs\":2,"
                + EXTRAS
                + ","
                + expires
                + ","
                + REST
                + "}"),
        new Spelling(
            "a value that ends in a backslash",
            "k",
            "{\"x\":\"a\\\\\"," + expires + ",\"y\":\"\\\\\\\\\"," + REST + "}"));
  }

  @Override
  public String toString() {
    return name + " " + template;
  }
}
