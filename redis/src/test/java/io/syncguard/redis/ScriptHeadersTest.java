package io.syncguard.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every script says of itself, and that it is true of the keys it touches. */
class ScriptHeadersTest {

  private static final Pattern PARAMETER = Pattern.compile("\\b(KEYS|ARGV)\\[(\\d)]");
  private static final Pattern COMMAND =
      Pattern.compile(
          "(?:\\bcall|redis\\.call|redis\\.pcall)\\('(\\w+)'((?:, ?[^,()]+)?)((?:, ?[^,()]+)*)[,)]");

  /** Keys as declared, and the two kinds that are reached through the index or name it. */
  private static final Set<String> KEY_EXPRESSIONS =
      Set.of(
          "KEYS[1]",
          "lockKey",
          "indexKey",
          "fenceKey",
          "staleIndex",
          // A semaphore's keys, and the notification list of somebody else who waits.
          "KEYS[2]",
          "KEYS[3]",
          "KEYS[4]",
          "KEYS[5]",
          "mainKey",
          "ttlKey",
          "maxKey",
          "waitingKey",
          "heartbeatKey",
          "key",
          "notification .. id",
          "notification .. heir");

  /** The headers of all parts: the comments that are not indented. */
  private static String header(Script script) {
    return script
        .source()
        .lines()
        .filter(line -> line.startsWith("--"))
        .collect(Collectors.joining("\n"));
  }

  private static String body(Script script) {
    return script
        .source()
        .lines()
        .map(line -> line.replaceFirst("--.*", "").replace("ipairs(KEYS)", "KEYS[1]"))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @EnumSource(Script.class)
  void aHeaderSaysWhatTheScriptTakesAndReturns(Script script) {
    String header = header(script);
    assertThat(header.lines().findFirst().orElseThrow()).matches("-- [A-Z].+\\.");
    assertThat(header)
        .containsPattern("(?m)^-- KEYS\\[1]  ")
        .containsPattern("(?m)^-- Returns  ")
        .containsPattern("(?m)^-- Errors   ");
    Set<String> used =
        PARAMETER
            .matcher(body(script))
            .results()
            .map(MatchResult::group)
            .collect(Collectors.toSet());
    assertThat(used)
        .isNotEmpty()
        .allSatisfy(parameter -> assertThat(header).contains("-- " + parameter + "  "));
    assertThat(PARAMETER.matcher(header).results().map(MatchResult::group))
        .allSatisfy(parameter -> assertThat(used).contains(parameter));
  }

  @ParameterizedTest
  @EnumSource(Script.class)
  void everyKeyIsDeclaredOrReachedThroughTheIndex(Script script) {
    assertThat(COMMAND.matcher(body(script)).results())
        .isNotEmpty()
        .allSatisfy(
            command -> {
              String name = command.group(1);
              String first = command.group(2).replace(",", "").strip();
              if (name.equals("TIME")) {
                assertThat(first).isEmpty();
              } else if (name.equals("PUBLISH")) {
                assertThat(first).isEqualTo("channel");
              } else {
                assertThat(KEY_EXPRESSIONS).contains(first);
              }
              if (name.equals("DEL") && !command.group(3).isEmpty()) {
                assertThat(
                        Arrays.stream(command.group(3).split(",", -1))
                            .map(String::strip)
                            .filter(key -> !key.isEmpty()))
                    .allMatch(KEY_EXPRESSIONS::contains);
              }
            });
    long calls = Pattern.compile("\\bp?call\\('").matcher(body(script)).results().count();
    assertThat(COMMAND.matcher(body(script)).results())
        .as("no call escapes the pattern")
        .hasSize((int) calls);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lock/acquire.lua",
        "semaphore/acquire.lua",
        "secret/view.lua",
        "limit/acquire.lua",
        "key/delete.lua"
      })
  void everyScriptThatIsShippedIsUsed(String oneOfThem) throws URISyntaxException {
    Path folder = Path.of(Script.class.getResource(oneOfThem).toURI()).getParent();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(ScriptHeadersTest::text))
          .isNotEmpty()
          .allSatisfy(
              text ->
                  assertThat(Arrays.stream(Script.values()).map(Script::source))
                      .anyMatch(source -> source.contains(text)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
