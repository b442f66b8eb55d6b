package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.syncguard.testkit.server.RedisServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisCommandTest extends CommandContract {

  private static RedisServer server;

  @BeforeAll
  static void startServer() {
    server = RedisServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Override
  String emptyStore(Path home) {
    server.command("FLUSHALL");
    return server.uri();
  }

  @Test
  void theDoctorFailsAStoreThatEvictsLocksAndSaysWhatToDo(@TempDir Path home) throws Exception {
    server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    try {
      Outcome examined = Syncguard.on(server.uri(), home).run("doctor", "--json");
      assertThat(examined.code()).isEqualTo(1);
      JsonNode eviction =
          examined.jsonLines().stream()
              .filter(finding -> finding.get("subject").asText().equals("eviction"))
              .findFirst()
              .orElseThrow();
      assertThat(eviction.get("level").asText()).isEqualTo("failure");
      assertThat(eviction.get("advice").asText()).contains("noeviction");
    } finally {
      server.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    }
  }
}
