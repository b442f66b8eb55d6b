package io.syncguard.sqlite;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.UriParameters;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * Opens {@code sqlite:} URIs: {@code sqlite:path}, or {@code sqlite:} alone for the {@linkplain
 * SqliteStore#defaultPath() place} that {@code SyncGuard.open()} uses.
 */
public final class SqliteStoreProvider implements StoreProvider {

  private static final String BUSY_TIMEOUT = "busyTimeout=";

  /** For {@link java.util.ServiceLoader}. */
  public SqliteStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("sqlite");
  }

  @Override
  public Store open(String uri, TimeSource time) {
    String rest = uri.substring(uri.indexOf(':') + 1);
    int question = rest.indexOf('?');
    Duration busyTimeout = SqliteFile.DEFAULT_BUSY_TIMEOUT;
    if (question >= 0) {
      String parameter = rest.substring(question + 1);
      if (!parameter.startsWith(BUSY_TIMEOUT)) {
        throw UriParameters.unknown("SQLite", parameter, "busyTimeout");
      }
      busyTimeout =
          UriParameters.duration("busyTimeout", parameter.substring(BUSY_TIMEOUT.length()));
    }
    Path path = path(question < 0 ? rest : rest.substring(0, question));
    return SqliteStore.open(new SqliteFile(path, busyTimeout), time);
  }

  private static Path path(String text) {
    if (text.contains(":memory:")) {
      throw SqliteFile.inMemory();
    }
    try {
      return text.isEmpty() ? SqliteStore.defaultPath() : Path.of(text);
    } catch (InvalidPathException e) {
      throw SyncGuardException.invalidArgument("The path in the SQLite URI cannot be used");
    }
  }
}
