package io.syncguard.postgresql.concurrency;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import io.syncguard.testkit.process.RateRace;
import io.syncguard.testkit.process.ViewRace;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two JVMs, one secret, one limiter. */
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PostgresRaceTest extends OnPostgres {

  private static final String PATIENT = "?timeout=30s";

  @Test
  void aSecretOf1000ViewsIsRevealedExactly1000TimesTo64ThreadsInTwoProcesses() {
    SecretId id =
        SyncGuard.over(store).secrets().put("secret".getBytes(UTF_8), Views.of(1000), TTL);
    assertThat(ViewRace.run(database.uri() + PATIENT, id, 2, 32))
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 1000).boxed().toList());
    assertThat(sql.number("SELECT count(*) FROM syncguard_secrets")).isZero();
    assertThat(sql.number("SELECT count(*) FROM syncguard_secret_payloads")).isZero();
  }

  @Test
  void inNoWindowIsMoreAllowedThanTheRateAndTheBurst() {
    assertThat(new RateRace(500, 50, 2, 4, 4000).run(database.uri() + PATIENT).size())
        .isGreaterThanOrEqualTo(50);
  }
}
