package io.syncguard.testkit.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.syncguard.SyncGuard;
import io.syncguard.semaphore.FairSemaphore;
import io.syncguard.semaphore.Permit;
import io.syncguard.semaphore.SemaphoreOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The process of a {@link PermitProcess}: does what it reads, and ends when that ends. */
final class PermitWorker {
  static final String ACQUIRE = "acquire";
  static final String RELEASE = "release";
  static final String HELD = "held";
  static final String LOST = "lost";
  static final String NOTHING_TO_RELEASE = "nothing to release";

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private PermitWorker() {}

  /**
   * Blocks until told to end.
   *
   * @param args the store's URI, the semaphore's name and limit, the heartbeat in milliseconds
   */
  public static void main(String[] args) throws IOException {
    SemaphoreOptions options =
        SemaphoreOptions.defaults().withHeartbeat(Duration.ofMillis(Long.parseLong(args[3])));
    try (SyncGuard guard = SyncGuard.open(args[0]);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, UTF_8))) {
      FairSemaphore semaphore = guard.semaphore(args[1], Integer.parseInt(args[2]), options);
      @Nullable Permit permit = null;
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        if (order.equals(ACQUIRE)) {
          permit = semaphore.acquire(PATIENCE).onLost(() -> tell(LOST));
          tell(HELD);
        } else if (permit != null) {
          tell(permit.release().isReleased() ? "released" : NOTHING_TO_RELEASE);
        }
      }
    }
  }

  private static void tell(String line) {
    try {
      Parent.tell(line);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
