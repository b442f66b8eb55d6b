package io.syncguard.testkit.sql;

import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuard;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.secret.SecretId;
import io.syncguard.secret.SecretInfo;
import io.syncguard.secret.Secrets;
import io.syncguard.secret.Views;
import io.syncguard.spi.Store;
import io.syncguard.testkit.fault.DecoratedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a database holds of a secret, and what becomes of one that no client wrote. */
public interface StoredSecretsSuite {

  byte[] PAYLOAD = "{\"list\":[]} that nothing else has".getBytes(UTF_8);

  Store store();

  /** Opens another client, as a short-lived process does. */
  Store openAnother();

  Sql sql();

  long sweep();

  @BeforeEach
  default void removeAllSecrets() {
    sql().execute("DELETE FROM syncguard_secrets");
    sql().execute("DELETE FROM syncguard_secret_payloads");
  }

  default Secrets secrets() {
    return SyncGuard.over(DecoratedStore.keptOpen(store())).secrets();
  }

  default SecretId put(int views) {
    return secrets().put(PAYLOAD, Views.of(views), BareLocks.TTL);
  }

  private List<Map<String, Object>> payloads() {
    return sql().rows("SELECT * FROM syncguard_secret_payloads");
  }

  private List<Map<String, Object>> rows() {
    return sql().rows("SELECT * FROM syncguard_secrets");
  }

  private void assertNothingIsLeft() {
    assertThat(rows()).isEmpty();
    assertThat(payloads()).isEmpty();
  }

  @Test
  default void aSecretIsARowAndItsPayloadAnother() {
    SecretId id = put(2);
    SecretInfo info = secrets().peek(id).orElseThrow();
    assertThat(rows())
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row).containsOnlyKeys("id", "views", "expires_at_ms", "proof");
              assertThat(row).containsEntry("id", id.value()).containsEntry("proof", "");
              assertThat(row.get("views")).hasToString("2");
              assertThat(row).containsEntry("expires_at_ms", info.expiresAt().toEpochMilli());
            });
    assertThat(payloads())
        .singleElement()
        .satisfies(row -> assertThat(row).containsEntry("id", id.value()))
        .satisfies(row -> assertThat(row).containsEntry("payload", PAYLOAD));
  }

  @Test
  default void theLastViewLeavesNothing() {
    SecretId id = put(2);
    secrets().view(id);
    assertThat(sql().number("SELECT views FROM syncguard_secrets")).isEqualTo(1);
    assertThat(payloads()).hasSize(1);
    secrets().view(id);
    assertNothingIsLeft();
  }

  @Test
  default void burningLeavesNothing() {
    SecretId id = put(9);
    assertThat(secrets().burn(id)).isTrue();
    assertNothingIsLeft();
  }

  @Test
  default void aViewOfAnExpiredSecretRevealsNothingAndLeavesNothing() {
    SecretId id = put(9);
    sql().execute("UPDATE syncguard_secrets SET expires_at_ms = 1");
    assertThat(secrets().peek(id)).isEmpty();
    assertThat(secrets().view(id)).isEmpty();
    assertNothingIsLeft();
  }

  @Test
  default void burningAnExpiredSecretRemovesItAndFindsNone() {
    SecretId id = put(9);
    sql().execute("UPDATE syncguard_secrets SET expires_at_ms = 1");
    assertThat(secrets().burn(id)).isFalse();
    assertNothingIsLeft();
  }

  @Test
  default void whatHasExpiredIsSweptWithItsPayloadAndTheRestStays() {
    store("old", 1);
    store("older", 0);
    store("alive", 9_000_000_000_000L);
    assertThat(sweep()).isEqualTo(2);
    assertThat(rows()).extracting(row -> row.get("id")).containsExactly("alive");
    assertThat(payloads()).extracting(row -> row.get("id")).containsExactly("alive");
  }

  @Test
  default void whatHasExpiredIsGoneOnceAClientHasOpenedTheStoreForAMoment() {
    store("old", 1);
    store("alive", 9_000_000_000_000L);
    openAnother().close();
    assertThat(rows()).extracting(row -> row.get("id")).containsExactly("alive");
    assertThat(payloads()).extracting(row -> row.get("id")).containsExactly("alive");
  }

  @Test
  default void howeverMuchHasExpiredAMomentIsEnoughForAPartOfIt() {
    for (int i = 0; i < 300; i++) {
      store("old " + i, i);
    }
    openAnother().close();
    assertThat(rows()).hasSizeLessThanOrEqualTo(100);
    openAnother().close();
    assertNothingIsLeft();
  }

  /** Stores a secret as another program does, so that no store begins to sweep by itself. */
  default void store(String id, long expiresAtMs) {
    sql()
        .execute(
            "INSERT INTO syncguard_secrets (id, views, expires_at_ms) VALUES (?, 1, ?)",
            id,
            expiresAtMs);
    sql().execute("INSERT INTO syncguard_secret_payloads VALUES (?, ?)", id, PAYLOAD);
  }

  @Test
  default void anIdWhoseSecretHasExpiredIsNewAgain() {
    SecretId id = put(9);
    assertThat(secrets().putIfNew(id, new byte[] {1}, Views.of(1), BareLocks.TTL)).isFalse();
    sql().execute("UPDATE syncguard_secrets SET expires_at_ms = 1");
    assertThat(secrets().putIfNew(id, new byte[] {2}, Views.of(1), BareLocks.TTL)).isTrue();
    assertThat(secrets().view(id).orElseThrow().value()).containsExactly(2);
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, 1_000_001, Long.MAX_VALUE, Long.MIN_VALUE})
  default void whatIsNoNumberOfViewsIsRefusedAndRevealsNothing(long views) {
    SecretId id = put(2);
    sql().execute("UPDATE syncguard_secrets SET views = ?", views);
    List<Map<String, Object>> before = rows();
    assertThat(assertFails(Code.INTERNAL, () -> secrets().view(id)).isOutcomeUnknown()).isFalse();
    assertFails(Code.INTERNAL, () -> secrets().peek(id));
    assertThat(rows()).isEqualTo(before);
    assertThat(payloads()).hasSize(1);
    assertThat(secrets().burn(id)).isTrue();
    assertNothingIsLeft();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  default void aSecretWithoutItsPayloadIsRefusedAndStaysAsItIs(int views) {
    SecretId id = put(views);
    sql().execute("DELETE FROM syncguard_secret_payloads");
    List<Map<String, Object>> before = new ArrayList<>(rows());
    assertFails(Code.INTERNAL, () -> secrets().view(id));
    assertThat(rows()).isEqualTo(before);
  }
}
