package io.syncguard.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WitnessTest {

  private static final OsSignal HUP = new OsSignal("HUP", 1);
  private static final OsSignal TERM = new OsSignal("TERM", 15);

  /** A HUP ends the first of its kind; the next one lives. */
  private static final String ENDED_ONCE =
      "[ -e \"$0\" ] || { : >\"$0\"; kill -s HUP $$; }; exec cat";

  private Witness witness;

  @BeforeEach
  void start(@TempDir Path directory) {
    OsSignal.listen("HUP", signal -> {});
    witness = new Witness(List.of("sh", "-c", ENDED_ONCE, directory.resolve("ended").toString()));
  }

  @AfterEach
  void close() {
    witness.close();
  }

  @Test
  void itsEndIsOfTheSignalThatEndedItThoughAnotherIsLookedAtFirst() throws Exception {
    long now = System.nanoTime();
    assertThat(witness.saw(Map.of(TERM, now), now + TimeUnit.MILLISECONDS.toNanos(50))).isFalse();
    long deadline = now + TimeUnit.MINUTES.toNanos(1);
    assertThat(witness.saw(Map.of(HUP, now), deadline)).isTrue();
    assertThat(witness.saw(Map.of(HUP, now), System.nanoTime())).isFalse();
  }

  @Test
  void ofSignalsThatCameTogetherAnyMayHaveEndedIt() throws Exception {
    long now = System.nanoTime();
    long deadline = now + TimeUnit.MINUTES.toNanos(1);
    assertThat(witness.saw(Map.of(TERM, now, HUP, now), deadline)).isTrue();
  }
}
