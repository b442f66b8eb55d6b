package io.syncguard.firestore;

import com.google.api.gax.retrying.RetrySettings;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A client of Firestore that the store made and closes. */
record OwnClient(Firestore firestore) {

  private static final Logger log = LoggerFactory.getLogger(FirestoreStore.class);
  private static final String EMULATOR_VARIABLE = "FIRESTORE_EMULATOR_HOST";
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  static OwnClient open(FirestoreUri uri) {
    FirestoreOptions.Builder options =
        FirestoreOptions.newBuilder()
            .setProjectId(uri.project())
            .setDatabaseId(uri.database())
            .setRetrySettings(singleAttempts(uri.options().timeout()));
    String emulator = uri.emulator() == null ? emulatorOfTheEnvironment() : uri.emulator();
    if (emulator != null) {
      options.setEmulatorHost(emulator);
      // Else the client looks for real ones, and waits for a metadata server that is not there.
      options.setCredentials(new FirestoreOptions.EmulatorCredentials());
    }
    try {
      return new OwnClient(options.build().getService());
    } catch (RuntimeException e) {
      throw new SyncGuardException(
          Code.AUTH_FAILED,
          "Firestore's client cannot be made; are there application default credentials?",
          Subject.NONE,
          e);
    }
  }

  private static @Nullable String emulatorOfTheEnvironment() {
    return System.getenv(EMULATOR_VARIABLE);
  }

  /**
   * A commit that the client repeats by itself would meet what it wrote the first time. The pauses
   * are for listeners, which connect again and again.
   */
  private static RetrySettings singleAttempts(Duration timeout) {
    return RetrySettings.newBuilder()
        .setMaxAttempts(1)
        .setInitialRetryDelayDuration(FIRST_PAUSE)
        .setRetryDelayMultiplier(2)
        .setMaxRetryDelayDuration(LONGEST_PAUSE)
        .setInitialRpcTimeoutDuration(timeout)
        .setMaxRpcTimeoutDuration(timeout)
        .setTotalTimeoutDuration(timeout)
        .build();
  }

  /** Ends what is under way: closing alone would wait for listeners, which do not end. */
  void close() {
    firestore.shutdownNow();
    try {
      firestore.close();
    } catch (Exception e) {
      log.debug("Firestore's client could not be closed", e);
    }
  }
}
