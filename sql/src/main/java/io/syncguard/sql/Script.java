package io.syncguard.sql;

import java.util.List;
import java.util.stream.Stream;

/**
 * Statements that a database carries out one after the other in one atomic step. The last one
 * answers.
 *
 * @param statements at least one
 */
record Script(List<Statement> statements) {

  /**
   * One statement.
   *
   * @param sql with a question mark for each parameter
   * @param parameters the parameters' names, in their order
   */
  record Statement(String sql, List<String> parameters) {}

  /** Returns all statements as one text, for a driver that sends it in one round trip. */
  Statement joined() {
    return new Statement(
        String.join(";\n", statements.stream().map(Statement::sql).toList()),
        statements.stream().flatMap(statement -> statement.parameters().stream()).toList());
  }

  /** Returns this script followed by another. */
  Script then(Script next) {
    return new Script(Stream.concat(statements.stream(), next.statements.stream()).toList());
  }
}
