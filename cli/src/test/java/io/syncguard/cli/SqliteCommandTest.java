package io.syncguard.cli;

import java.nio.file.Path;

class SqliteCommandTest extends CommandContract {

  @Override
  String emptyStore(Path home) {
    return "sqlite:" + home.resolve("test.db");
  }
}
