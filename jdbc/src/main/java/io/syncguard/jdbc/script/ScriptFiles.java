package io.syncguard.jdbc.script;

import io.syncguard.counter.Counters;
import io.syncguard.jdbc.script.SqlScript.Effect;
import io.syncguard.lock.Fence;
import io.syncguard.secret.Views;
import io.syncguard.spi.Liveness;
import io.syncguard.spi.lock.QueueTimes;
import io.syncguard.spi.semaphore.GrantLease;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The scripts of one database, from the resource files beside its store. {@code :name} in a file is
 * a parameter, {@code {name}} stands for a constant text, and {@code {name}(} calls a function.
 */
public final class ScriptFiles {

  /** The files that create what is missing. */
  public static final List<String> SETUP =
      List.of("lock/setup", "semaphore/setup", "secret/setup", "limit/setup");

  private static final Pattern COMMENT = Pattern.compile("(?m)^--.*\\R?");
  private static final Pattern CONSTANT = Pattern.compile("\\{([a-z_]+)}");
  private static final Pattern FUNCTION_CALL = Pattern.compile("\\{[a-z_]+}\\(");
  private static final Pattern PARAMETER = Pattern.compile("(?<!:):([a-z_]+)");
  private static final Pattern END_OF_STATEMENT = Pattern.compile(";\\s*(\\R|$)");
  private static final Pattern OTHERWISE = Pattern.compile("(?m)^-- otherwise ([A-Z_]+)\\R");

  /** The resources of a store, which only its own module can open. */
  @FunctionalInterface
  public interface Resources {

    /** Returns null if there is no such file. */
    @Nullable InputStream open(String path);
  }

  private final Resources resources;
  private final Map<String, String> constants;

  public ScriptFiles(Resources resources, Map<String, String> constants) {
    this.resources = resources;
    this.constants = new HashMap<>(constants);
    this.constants.put("tolerance_ms", Long.toString(Liveness.TOLERANCE_MS));
    this.constants.put("max_fence", Long.toString(Fence.MAX));
    this.constants.put("alive_ms", Long.toString(QueueTimes.ALIVE.toMillis()));
    this.constants.put("grant_ms", Long.toString(QueueTimes.GRANT.toMillis()));
    this.constants.put("untold_grant_ms", Long.toString(QueueTimes.GRANT_UNTOLD.toMillis()));
    this.constants.put("lease_ms", Long.toString(GrantLease.LONGEST.toMillis()));
    this.constants.put("most_views", Integer.toString(Views.MOST));
    this.constants.put("most_count", Long.toString(Counters.MOST));
  }

  /**
   * Returns a script whose statements end with a semicolon at the end of a line. After a line
   * {@code -- otherwise EFFECT} follows what is carried out if what comes before has no answer.
   */
  public SqlScript read(String name, Effect effect) {
    return script(text(name), effect);
  }

  private SqlScript script(String text, Effect effect) {
    Matcher otherwise = OTHERWISE.matcher(text);
    if (!otherwise.find()) {
      return new SqlScript(effect, statements(text));
    }
    return new SqlScript(
        effect,
        statements(text.substring(0, otherwise.start())),
        script(text.substring(otherwise.end()), Effect.valueOf(otherwise.group(1))));
  }

  private List<SqlScript.Statement> statements(String text) {
    boolean callsFunction = FUNCTION_CALL.matcher(text).find();
    return END_OF_STATEMENT
        .splitAsStream(withoutComments(text))
        .map(sql -> statement(sql, callsFunction))
        .toList();
  }

  /** Returns a script that not every database has. */
  public Optional<SqlScript> readIfThere(String name, Effect effect) {
    try (InputStream resource = resources.open(name + ".sql")) {
      return resource == null ? Optional.empty() : Optional.of(read(name, effect));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a script that changes something and that only the database can take apart. */
  public SqlScript readWhole(String name) {
    return new SqlScript(
        Effect.WRITE, List.of(new SqlScript.Statement(sql(name), List.of(), false)));
  }

  /** Returns the text of a part of other scripts, to be one of their constants. */
  public String readPart(String name) {
    return sql(name);
  }

  private String sql(String name) {
    return withoutComments(text(name));
  }

  private String withoutComments(String text) {
    return CONSTANT
        .matcher(COMMENT.matcher(text).replaceAll(""))
        .replaceAll(found -> Matcher.quoteReplacement(constant(found.group(1))))
        .strip();
  }

  private String text(String name) {
    String path = name + ".sql";
    try (InputStream resource = resources.open(path)) {
      if (resource == null) {
        throw new IllegalStateException("The file " + path + " is missing from the jar");
      }
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String constant(String name) {
    String value = constants.get(name);
    if (value == null) {
      throw new IllegalStateException("There is no constant {" + name + "}");
    }
    return value;
  }

  private static SqlScript.Statement statement(String sql, boolean callsFunction) {
    List<String> parameters = new ArrayList<>();
    String positional =
        PARAMETER
            .matcher(sql.strip())
            .replaceAll(
                found -> {
                  parameters.add(found.group(1));
                  return "?";
                });
    return new SqlScript.Statement(positional, List.copyOf(parameters), callsFunction);
  }
}
