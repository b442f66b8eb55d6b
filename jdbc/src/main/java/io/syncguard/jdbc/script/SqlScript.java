package io.syncguard.jdbc.script;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Statements that a database carries out one after the other in one atomic step. The last one that
 * has rows answers. No two are equal, so that it is cheap to remember what was prepared for one.
 */
public final class SqlScript {

  /** What a script does, which says what has to be on disk before it is over. */
  public enum Effect {
    /** It changes nothing. */
    READ,
    /** It changes what must survive a crash. */
    WRITE,
    /** It changes what a crash may undo: no client then has what is another client's. */
    RELAXED_WRITE
  }

  /**
   * One statement.
   *
   * @param sql with a question mark for each parameter
   * @param parameters the parameters' names, in their order
   * @param callsFunction whether it only calls a function that SyncGuard has created
   */
  public record Statement(String sql, List<String> parameters, boolean callsFunction) {}

  private final Effect effect;
  private final List<Statement> statements;
  private final @Nullable SqlScript otherwise;

  public SqlScript(Effect effect, List<Statement> statements) {
    this(effect, statements, null);
  }

  /**
   * Returns a script with another to follow, where a database can carry out several in one call.
   *
   * @param otherwise what is carried out, as a step of its own, if this one answers with nothing;
   *     null for none
   */
  public SqlScript(Effect effect, List<Statement> statements, @Nullable SqlScript otherwise) {
    this.effect = effect;
    this.statements = List.copyOf(statements);
    this.otherwise = otherwise;
  }

  public Effect effect() {
    return effect;
  }

  public List<Statement> statements() {
    return statements;
  }

  /** Returns what is carried out if this one answers with nothing. */
  public Optional<SqlScript> otherwise() {
    return Optional.ofNullable(otherwise);
  }
}
