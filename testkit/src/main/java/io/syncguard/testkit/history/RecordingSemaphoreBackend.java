package io.syncguard.testkit.history;

import io.syncguard.CancelSignal;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.testkit.fault.DelegatingSemaphoreBackend;
import io.syncguard.testkit.history.SemaphoreHistory.Passage;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Writes the history of a semaphore while it is used. */
public final class RecordingSemaphoreBackend extends DelegatingSemaphoreBackend {

  private record Progress(long askedAt, long joinedAt, long ticket, @Nullable Long acquiredAt) {}

  private final SemaphoreHistory history;
  private final ConcurrentHashMap<PermitId, Progress> underWay = new ConcurrentHashMap<>();

  /** Records what is done through the given backend. */
  public RecordingSemaphoreBackend(SemaphoreBackend backend, SemaphoreHistory history) {
    super(backend);
    this.history = history;
  }

  @Override
  public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
    PermitId id = request.permit().id();
    long askedAt = System.nanoTime();
    PermitAttempt attempt = super.acquire(request, signal);
    long answeredAt = System.nanoTime();
    Progress before = underWay.get(id);
    if (attempt instanceof PermitAttempt.Waiting waiting) {
      // Another ticket is another place: the earlier one was lost, and with it the order.
      if (before == null || before.ticket() != waiting.ticket()) {
        underWay.put(id, new Progress(askedAt, answeredAt, waiting.ticket(), null));
      }
    } else if (attempt instanceof PermitAttempt.Held) {
      underWay.put(
          id,
          before == null
              ? new Progress(askedAt, answeredAt, 0, answeredAt)
              : new Progress(before.askedAt(), before.joinedAt(), before.ticket(), answeredAt));
    } else {
      underWay.remove(id);
    }
    return attempt;
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    Progress done = underWay.remove(permit.id());
    if (done != null && done.acquiredAt() != null) {
      history.add(
          new Passage(
              permit.id().hash(),
              done.askedAt(),
              done.joinedAt(),
              done.acquiredAt(),
              System.nanoTime()));
    }
    return super.release(permit, timeout);
  }
}
