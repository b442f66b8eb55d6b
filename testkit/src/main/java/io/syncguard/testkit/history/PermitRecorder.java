package io.syncguard.testkit.history;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import io.syncguard.testkit.fault.Interception;
import io.syncguard.testkit.history.SemaphoreHistory.Passage;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A decoration that records every passage through a semaphore while it is used, by {@link
 * System#nanoTime}. Thread-safe.
 */
public final class PermitRecorder implements UnaryOperator<OperationExecutor> {

  /** Of a permit that has not been released yet; without a slot it has no time of acquisition. */
  private record Progress(
      long ticket, int places, int slot, long askedAt, long joinedAt, @Nullable Long acquiredAt) {}

  private final Consumer<Passage> listener;
  private final ConcurrentHashMap<PermitId, Progress> underWay = new ConcurrentHashMap<>();

  /** When a permit asked that was not answered: the store may have given it its place then. */
  private final ConcurrentHashMap<PermitId, Long> unanswered = new ConcurrentHashMap<>();

  /** Hands over each passage, just before its release, in the releasing thread. */
  public PermitRecorder(Consumer<Passage> listener) {
    this.listener = listener;
  }

  @Override
  public OperationExecutor apply(OperationExecutor next) {
    return Interception.on(SemaphoreOperation.Acquire.class, this::acquire)
        .andOn(SemaphoreOperation.Release.class, this::release)
        .apply(next);
  }

  private CompletionStage<PermitAttempt> acquire(
      SemaphoreOperation.Acquire acquire, Call call, OperationExecutor next) {
    long askedAt = System.nanoTime();
    return next.execute(acquire, call)
        .whenComplete(
            (attempt, failure) -> {
              PermitId id = acquire.permit().id();
              if (failure == null) {
                Long askedFirst = unanswered.remove(id);
                note(id, attempt, askedFirst == null ? askedAt : askedFirst, System.nanoTime());
              } else {
                unanswered.putIfAbsent(id, askedAt);
              }
            });
  }

  private void note(PermitId id, PermitAttempt attempt, long askedAt, long answeredAt) {
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
  }

  private CompletionStage<PermitReleaseResult> release(
      SemaphoreOperation.Release release, Call call, OperationExecutor next) {
    unanswered.remove(release.permit().id());
    Progress done = underWay.remove(release.permit().id());
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
    return next.execute(release, call);
  }
}
