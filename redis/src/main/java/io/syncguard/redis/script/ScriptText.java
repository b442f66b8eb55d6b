package io.syncguard.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text of a Lua script, put together from its file and the parts that the file names.
 *
 * <p>Redis scripts cannot call each other. So the line {@code -- include part/clock.lua} stands for
 * the text of that file in the folder of the script. A part goes in once, unless a later line says
 * {@code -- include again part/clock.lua}, and includes nothing itself: the script's own file shows
 * the order of all that Redis runs. Comments and empty lines are for readers, and are left out.
 */
final class ScriptText {

  private static final String FOLDER = "/io/syncguard/redis/";
  private static final Pattern NO_CODE = Pattern.compile("\\s*(--.*)?");
  private static final Pattern DIRECTIVE = Pattern.compile("\\s*--\\s*include\\b.*");
  private static final Pattern INCLUDE =
      Pattern.compile("\\s*-- include( again)? (part/[a-z_]+\\.lua)");

  private final String path;
  private final Function<String, @Nullable String> files;
  private final Set<String> included = new HashSet<>();

  private ScriptText(String path, Function<String, @Nullable String> files) {
    this.path = path;
    this.files = files;
  }

  /** Reads a script from the store's resources, such as {@code lock/acquire.lua}. */
  static String ofResource(String path) {
    return of(path, ScriptText::resource);
  }

  /**
   * Reads a script.
   *
   * @param files gives the text of a file, or null if there is none
   * @throws IllegalStateException if a file is missing, or an include is not as it should be
   */
  static String of(String path, Function<String, @Nullable String> files) {
    return new ScriptText(path, files).read();
  }

  private String read() {
    String own = files.apply(path);
    if (own == null) {
      throw new IllegalStateException("The script " + path + " is missing from the jar");
    }
    StringBuilder text = new StringBuilder();
    own.lines().forEach(line -> text.append(isInclude(line) ? part(line) : code(line)));
    return text.toString();
  }

  private String part(String line) {
    Matcher include = INCLUDE.matcher(line);
    if (!include.matches()) {
      throw refused(line, "write \"-- include part/name.lua\"");
    }
    boolean again = include.group(1) != null;
    String name = include.group(2);
    boolean first = included.add(name);
    if (!first && !again) {
      throw refused(line, "it is included already; if that is meant, write \"include again\"");
    }
    if (first && again) {
      throw refused(line, "it is not included before; write \"include\"");
    }
    String partPath = path.substring(0, path.lastIndexOf('/') + 1) + name;
    String text = files.apply(partPath);
    if (text == null) {
      throw refused(line, "there is no file " + partPath);
    }
    if (text.lines().anyMatch(ScriptText::isInclude)) {
      throw refused(line, "a part must not include another; let the script include both");
    }
    return text.lines().map(ScriptText::code).collect(Collectors.joining());
  }

  private static String code(String line) {
    return NO_CODE.matcher(line).matches() ? "" : line + "\n";
  }

  private static boolean isInclude(String line) {
    return DIRECTIVE.matcher(line).matches();
  }

  private IllegalStateException refused(String line, String why) {
    return new IllegalStateException(
        "Bad line in the script " + path + ", \"" + line.strip() + "\": " + why);
  }

  private static @Nullable String resource(String path) {
    try (InputStream file = ScriptText.class.getResourceAsStream(FOLDER + path)) {
      return file == null ? null : new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
