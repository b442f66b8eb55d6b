package io.syncguard.sql;

import java.util.List;

/**
 * Statements that a database carries out one after the other in one atomic step. The last one
 * answers.
 */
final class Script {

  /**
   * One statement.
   *
   * @param sql with a question mark for each parameter
   * @param parameters the parameters' names, in their order
   */
  record Statement(String sql, List<String> parameters) {}

  private final List<Statement> statements;
  private final Statement joined;

  Script(List<Statement> statements) {
    this.statements = List.copyOf(statements);
    this.joined =
        new Statement(
            String.join(";\n", statements.stream().map(Statement::sql).toList()),
            statements.stream().flatMap(statement -> statement.parameters().stream()).toList());
  }

  List<Statement> statements() {
    return statements;
  }

  /** Returns all statements as one text, for a driver that sends it in one round trip. */
  Statement joined() {
    return joined;
  }
}
