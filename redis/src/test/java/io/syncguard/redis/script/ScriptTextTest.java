package io.syncguard.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptTextTest {

  private final Map<String, String> files =
      new HashMap<>(
          Map.of(
              "lock/part/one.lua", "-- Says one.\n\nlocal one = 1\n",
              "lock/part/two.lua", "local two = 2",
              "limit/part/other.lua", "local other = 3\n"));

  private String textOf(String script) {
    files.put("lock/script.lua", script);
    return ScriptText.of("lock/script.lua", files::get);
  }

  private void assertRefused(String script, String... says) {
    assertThatThrownBy(() -> textOf(script))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("lock/script.lua")
        .hasMessageContainingAll(says);
  }

  @Test
  void partsGoInWhereTheScriptNamesThem() {
    assertThat(
            textOf(
                """
                -- include part/two.lua
                if two then
                  -- include part/one.lua
                  return one
                end
                """))
        .isEqualTo(
            """
            local two = 2
            if two then
            local one = 1
              return one
            end
            """);
  }

  @Test
  void commentsAndEmptyLinesAreLeftOut() {
    assertThat(textOf("-- Does it.\n--\n-- Includes nothing.\n\n  -- Why.\nreturn '--' -- so\n"))
        .isEqualTo("return '--' -- so\n");
  }

  @Test
  void theTextIsTheSameWhicheverWayLinesEnd() {
    String script = "-- include part/one.lua\nreturn one\n";
    String text = textOf(script);
    files.replaceAll((path, file) -> file.replace("\n", "\r\n"));
    assertThat(textOf(script.replace("\n", "\r\n"))).isEqualTo(text);
  }

  @Test
  void aPartGoesInTwiceOnlyIfTheScriptSaysAgain() {
    assertThat(textOf("-- include part/two.lua\n-- include again part/two.lua\n"))
        .isEqualTo("local two = 2\nlocal two = 2\n");
    assertRefused(
        "-- include part/two.lua\n-- include part/two.lua\n",
        "\"-- include part/two.lua\"",
        "included already");
    assertRefused("-- include again part/two.lua\n", "not included before");
  }

  @Test
  void anUnknownPartIsRefused() {
    assertRefused("-- include part/three.lua\n", "there is no file lock/part/three.lua");
    assertRefused("-- include part/other.lua\n", "there is no file lock/part/other.lua");
  }

  @Test
  void aPartThatIncludesIsRefused() {
    files.put("lock/part/three.lua", "-- include part/one.lua\n");
    assertRefused("-- include part/three.lua\n", "a part must not include another");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "-- include",
        "--include part/one.lua",
        "-- include: part/one.lua",
        "-- include one.lua",
        "-- include part/one",
        "-- include part/../one.lua",
        "-- include twice part/one.lua",
        "-- include part/one.lua part/two.lua",
        "-- include part/one.lua "
      })
  void anIncludeThatIsWrittenInAnotherWayIsRefused(String line) {
    assertRefused(line + "\n", "\"" + line.strip() + "\"", "write \"-- include part/name.lua\"");
  }

  @Test
  void aMissingScriptIsRefused() {
    assertThatThrownBy(() -> ScriptText.ofResource("lock/no_such.lua"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("The script lock/no_such.lua is missing from the jar");
  }
}
