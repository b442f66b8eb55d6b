package io.syncguard.redis.lock;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Keys of users that try to be taken for more than a key. */
final class HostileKeys {

  private static final List<String> KEYS =
      List.of(
          "caf\u00e9 \u65e5\u672c\u8a9e \ud83d\ude00",
          "quote\"back\\slash",
          "a/b//c",
          "line\nbreak\ttab\u0001\u001f\u007f",
          "ends\\",
          "ends\\\\",
          "ends\\\"",
          "a\":1,\"expiresAtMs\":99",
          ",\"expiresAtMs\":1,",
          " \"expiresAtMs\" : 1",
          "{\"expiresAtMs\":1}",
          "\",\"lockId\":\"AAAAAAAAAAAAAAAAAAAAAA",
          "x\",\"lockId\":\"AAAAAAAAAAAAAAAAAAAAAA\",\"fence\":\"000000000000009\","
              + "\"acquiredAtMs\":1794772747006,\"expiresAtMs\":1}",
          "\\u0022,\\u0022lockId",
          "%d%s%1 [%w_-]+ ^$",
          "\\".repeat(512));

  private HostileKeys() {}

  static Stream<String> all() {
    return KEYS.stream();
  }

  /** Keys that pose as fields, each escaped as SyncGuard does, as Node does, and throughout. */
  static Stream<Spelling> spellings() {
    return KEYS.stream()
        .flatMap(
            key ->
                Stream.of(
                    keyed("as we do", key, escaped(key, "/")),
                    keyed("slashes bare", key, escaped(key, "")),
                    keyed("escaped throughout", key, escapedThroughout(key))));
  }

  private static Spelling keyed(String name, String key, String escaped) {
    return new Spelling(
        name, key, "{\"key\":\"" + escaped + "\"," + Spelling.REST + ",\"expiresAtMs\":$expires}");
  }

  private static String escaped(String key, String also) {
    return IntStream.range(0, key.length())
        .mapToObj(i -> key.substring(i, i + 1))
        .map(
            c ->
                c.charAt(0) < ' ' || c.equals("\u007f")
                    ? escapedThroughout(c)
                    : ("\"\\" + also).contains(c) ? "\\" + c : c)
        .collect(Collectors.joining());
  }

  private static String escapedThroughout(String key) {
    return key.chars().mapToObj("\\u%04x"::formatted).collect(Collectors.joining());
  }
}
