package io.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.syncguard.testkit.server.FirestoreEmulator;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirestoreCommandTest {

  private static Syncguard onAnEmptyProject(Path home) {
    String emulator = FirestoreEmulator.hostAndPort();
    return Syncguard.on(
        "firestore://" + FirestoreEmulator.newProject() + "?timeout=30s&emulator=" + emulator,
        home);
  }

  @Test
  void aCommandRunsUnderALockAndTheListShowsIt(@TempDir Path home) throws Exception {
    Syncguard syncguard = onAnEmptyProject(home);
    Outcome ran =
        syncguard.run("run", "k", "--", Syncguard.COMMAND.toString(), "ls", "--raw", "--json");
    assertThat(ran.code()).as("%s", ran).isZero();
    assertThat(ran.jsonLines()).extracting(line -> line.get("key").asText()).containsExactly("k");
  }

  @Test
  void theDoctorComparesTheClockWithTheServers(@TempDir Path home) throws Exception {
    Outcome examined = onAnEmptyProject(home).run("doctor", "--json");
    JsonNode clock =
        examined.jsonLines().stream()
            .filter(finding -> finding.get("subject").asText().equals("clock"))
            .findFirst()
            .orElseThrow(() -> new AssertionError(examined));
    assertThat(clock.get("level").asText()).isEqualTo("ok");
    assertThat(clock.get("detail").asText()).startsWith("this machine's is ");
  }
}
