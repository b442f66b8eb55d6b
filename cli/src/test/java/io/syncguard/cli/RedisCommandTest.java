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
    return uri();
  }

  /** Commands start at the same time, on a machine that may be small. */
  private static String uri() {
    return server.uri() + "?timeout=30s";
  }

  @Test
  void aCounterWithoutAnEndIsShown(@TempDir Path home) throws Exception {
    server.command("SET", "syncguard:id:count:endless", "3");
    Syncguard syncguard = Syncguard.on(uri(), home);
    Outcome shown = syncguard.run("limit", "show", "endless", "--json");
    assertThat(shown.code()).as("%s", shown).isZero();
    assertThat(shown.text()).isEqualTo("{\"count\":3,\"resetAt\":null}");
    assertThat(syncguard.run("limit", "show", "endless").text())
        .isEqualTo("3, for another time without end");
  }

  @Test
  void aWaitForAStoreThatRefusesIsSaid(@TempDir Path home) throws Exception {
    server.command("CONFIG", "SET", "maxmemory", "1");
    try {
      Syncguard syncguard = Syncguard.on(uri(), home);
      Outcome waited = syncguard.run("run", "k", "--wait", "5s", "--", "true");
      assertThat(waited.code()).as("%s", waited).isEqualTo(69);
      assertThat(waited.errors().lines()).hasSize(2);
      assertThat(waited.errors()).contains("is asked again", "OOM");
      assertThat(syncguard.run("lock", "try", "k").errors().lines()).hasSize(1);
    } finally {
      server.command("CONFIG", "SET", "maxmemory", "0");
    }
  }

  @Test
  void theDoctorFailsAStoreThatEvictsLocksAndSaysWhatToDo(@TempDir Path home) throws Exception {
    server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
    try {
      Outcome examined = Syncguard.on(uri(), home).run("doctor", "--json");
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
