package io.syncguard.spi;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.Failure;
import io.syncguard.SyncGuardException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StoreProviderTest {

  private final Locale locale = Locale.getDefault();

  @AfterEach
  void restoreLocale() {
    Locale.setDefault(locale);
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:", "MEMORY:", "Memory:"})
  void theSchemeNamesTheStoreInAnyCase(String uri) {
    try (Store store = StoreProvider.openStore(uri, new HandMovedTime())) {
      assertThat(store.locks()).isNotNull().isSameAs(store.locks());
    }
  }

  @Test
  void theSchemeIsReadTheSameWayInTurkey() {
    Locale.setDefault(Locale.forLanguageTag("tr-TR"));

    assertThat(refusal("SQLITE:x")).hasMessageContaining("'sqlite'");
  }

  @Test
  void eachOpeningOfMemoryIsAStoreOfItsOwn() {
    try (Store one = StoreProvider.openStore("memory:", new HandMovedTime());
        Store other = StoreProvider.openStore("memory:", new HandMovedTime())) {
      assertThat(one.locks()).isNotSameAs(other.locks());
    }
  }

  @Test
  void anUnknownSchemeIsNamedButTheRestOfTheUriIsNot() {
    assertThat(refusal("nosuchstore://operator:hunter2@db.internal:1234/locks?x=secret"))
        .hasMessageContaining("nosuchstore")
        .hasMessageContaining("memory")
        .hasMessageNotContainingAny("operator", "hunter2", "db.internal", "locks?", "secret");
  }

  @Test
  void whatIsNoSchemeIsNotRepeated() {
    assertThat(refusal("hunter2@db.internal:6379")).hasMessageNotContaining("hunter2");
    assertThat(refusal("//hunter2:x@db.internal:6379")).hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "memory", "hunter2", ":", ":memory", "://hunter2"})
  void aUriWithoutASchemeIsRefusedAndNotRepeated(String uri) {
    assertThat(refusal(uri)).hasMessageContaining("scheme").hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(strings = {"memory:hunter2", "memory://hunter2", "MEMORY:hunter2"})
  void memoryTakesNothingBehindTheColonAndDoesNotRepeatIt(String uri) {
    assertThat(refusal(uri)).hasMessageContaining("memory:").hasMessageNotContaining("hunter2");
  }

  @Test
  void noUriAtAllIsToldInASentence() {
    assertThat(refusal(null)).hasMessageContaining("null").hasMessageContaining("redis://");
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:6379", "db.internal:5432/app", "127.0.0.1:6379"})
  void anAddressWithoutASchemeIsToldWhatToWrite(String uri) {
    assertThat(refusal(uri)).hasMessageContaining("write redis://host:6379");
  }

  @Test
  void aJdbcUrlIsToldWhatToWrite() {
    assertThat(refusal("jdbc:postgresql://app:hunter2@db.internal/app"))
        .hasMessageContaining("postgresql://user:password@host:5432/database")
        .hasMessageNotContainingAny("hunter2", "db.internal");
  }

  @ParameterizedTest
  @CsvSource({
    "redis://x,syncguard-redis",
    "rediss-cluster://x,syncguard-redis",
    "postgres://x/y,syncguard-postgresql",
    "sqlite:x,syncguard-sqlite",
    "firestore://x,syncguard-firestore"
  })
  void aMissingModuleIsNamed(String uri, String artifact) {
    assertThat(refusal(uri))
        .hasMessageContaining("io.syncguard:" + artifact)
        .hasMessageContaining("META-INF/services");
  }

  private static SyncGuardException refusal(@Nullable String uri) {
    return Failure.ofBadArgument(() -> StoreProvider.openStore(uri, new HandMovedTime()).close());
  }
}
