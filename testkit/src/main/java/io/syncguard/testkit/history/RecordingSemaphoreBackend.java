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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Records every passage through a semaphore while it is used, by {@link System#nanoTime}. */
public final class RecordingSemaphoreBackend extends DelegatingSemaphoreBackend {

  /** Of a permit that has not been released yet; without a slot it has no time of acquisition. */
  private record Progress(
      long ticket, int places, int slot, long askedAt, long joinedAt, @Nullable Long acquiredAt) {}

  private final Consumer<Passage> listener;
  private final ConcurrentHashMap<PermitId, Progress> underWay = new ConcurrentHashMap<>();

  /** Hands over each passage, just before its release, in the releasing thread. */
  public RecordingSemaphoreBackend(SemaphoreBackend backend, Consumer<Passage> listener) {
    super(backend);
    this.listener = listener;
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
        int places = before == null ? 1 : before.places() + 1;
        underWay.put(id, new Progress(waiting.ticket(), places, 0, askedAt, answeredAt, null));
      }
    } else if (attempt instanceof PermitAttempt.Held held) {
      underWay.put(
          id,
          before == null
              ? new Progress(0, 0, held.slot(), askedAt, answeredAt, answeredAt)
              : new Progress(
                  before.ticket(),
                  before.places(),
                  held.slot(),
                  before.askedAt(),
                  before.joinedAt(),
                  answeredAt));
    } else {
      underWay.remove(id);
    }
    return attempt;
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    Progress done = underWay.remove(permit.id());
    if (done != null && done.acquiredAt() != null) {
      listener.accept(
          new Passage(
              done.ticket(),
              done.places(),
              done.slot(),
              done.askedAt(),
              done.joinedAt(),
              done.acquiredAt(),
              System.nanoTime()));
    }
    return super.release(permit, timeout);
  }
}
