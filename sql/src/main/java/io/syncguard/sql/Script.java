package io.syncguard.sql;

import java.util.List;

/**
 * Statements that a database carries out one after the other in one atomic step. The last one that
 * has rows answers. No two are equal, so that it is cheap to remember what was prepared for one.
 */
final class Script {

  /**
   * One statement.
   *
   * @param sql with a question mark for each parameter
   * @param parameters the parameters' names, in their order
   * @param callsFunction whether it only calls a function of ours, in the database
   */
  record Statement(String sql, List<String> parameters, boolean callsFunction) {}

  private final List<Statement> statements;

  Script(List<Statement> statements) {
    this.statements = List.copyOf(statements);
  }

  List<Statement> statements() {
    return statements;
  }
}
