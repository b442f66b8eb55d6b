package io.syncguard.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every script says of itself, and that it is true of the keys it touches. */
class ScriptHeadersTest {

  private static final Pattern INCLUDE =
      Pattern.compile("(?m)^ *-- include(?: again)? (part/\\w+\\.lua)$");
  private static final Pattern FILE = Pattern.compile("\\w+\\.lua");
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
          // The queue of a lock, and what says that a process lives.
          "queueKey",
          "aliveKey",
          // A semaphore's keys, and the notification list of another waiter.
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
          "notification .. id");

  /** The headers of a script and its parts: the comments that are not indented. */
  private static String header(RedisScript script) {
    return Stream.concat(Stream.of(script.file()), parts(script))
        .flatMap(file -> text(file).lines())
        .filter(line -> line.startsWith("--"))
        .collect(Collectors.joining("\n"));
  }

  /** The files that a script includes, in this order. */
  private static Stream<String> parts(RedisScript script) {
    String folder = script.file().substring(0, script.file().indexOf('/') + 1);
    return INCLUDE.matcher(text(script.file())).results().map(found -> folder + found.group(1));
  }

  private static String body(RedisScript script) {
    return script
        .source()
        .lines()
        .map(line -> line.replaceFirst("--.*", "").replace("ipairs(KEYS)", "KEYS[1]"))
        .collect(Collectors.joining("\n"));
  }

  @ParameterizedTest
  @EnumSource(RedisScript.class)
  void aHeaderSaysWhatTheScriptTakesAndReturns(RedisScript script) {
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
  @EnumSource(RedisScript.class)
  void everyKeyIsDeclaredOrReachedThroughTheIndex(RedisScript script) {
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
  @EnumSource(RedisScript.class)
  void whatAPartNeedsComesBeforeIt(RedisScript script) {
    List<String> before = new ArrayList<>();
    parts(script)
        .forEach(
            part -> {
              String folder = part.substring(0, part.lastIndexOf('/') + 1);
              assertThat(before).as("before " + part).containsAll(needs(part, folder));
              before.add(part);
            });
  }

  private static List<String> needs(String part, String folder) {
    String comment = text(part).split("\n\n", 2)[0];
    int from = comment.indexOf("Needs ");
    return from < 0
        ? List.of()
        : FILE.matcher(comment.substring(from))
            .results()
            .map(found -> folder + found.group())
            .toList();
  }

  @Test
  void everyScriptThatIsShippedIsCalled() {
    assertThat(shipped().filter(file -> !file.contains("/part/")))
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(RedisScript.values()).map(RedisScript::file).toList());
  }

  @Test
  void everyPartThatIsShippedGoesInMoreThanOnce() {
    List<String> included =
        Arrays.stream(RedisScript.values()).flatMap(ScriptHeadersTest::parts).toList();
    assertThat(shipped().filter(file -> file.contains("/part/")))
        .isNotEmpty()
        .allSatisfy(part -> assertThat(Collections.frequency(included, part)).isGreaterThan(1));
  }

  private static Stream<String> shipped() {
    Path root = path("lock/acquire.lua").getParent().getParent();
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .map(file -> root.relativize(file).toString().replace('\\', '/'))
          .filter(file -> file.endsWith(".lua"))
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(String file) {
    try {
      return Files.readString(path(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path path(String file) {
    try {
      return Path.of(RedisScript.class.getResource("/io/syncguard/redis/" + file).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
