package io.syncguard.spi.semaphore;

import io.syncguard.Subject;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.Outcome;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.telemetry.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * What can be asked of a store's semaphores; {@link SemaphoreBackend} says what each means.
 *
 * @param <A> the answer
 */
public sealed interface SemaphoreOperation<A> extends Operation<A> {

  /**
   * One attempt to get a slot of a semaphore. The same attempt may be repeated: what the store
   * knows of the permit's id decides what it means.
   *
   * @param permit which permit is asking, under an id that its first attempt made known
   * @param limit how many slots the semaphore has
   * @param ttl the longest the slot may be held, counted from when the permit got it
   * @param heartbeatTimeout how long after its last sign of life the permit counts as dead
   * @param waits whether to take a place in the queue if there is no slot now; if not, the permit
   *     has no place afterwards, not even one that it had before
   * @param watched whether the caller has a {@link SemaphoreBackend#watch watch} open for the
   *     permit
   */
  record Acquire(
      PermitReference permit,
      int limit,
      Duration ttl,
      Duration heartbeatTimeout,
      boolean waits,
      boolean watched)
      implements SemaphoreOperation<PermitAttempt> {

    @Override
    public String label() {
      return "acquire";
    }

    @Override
    public Subject subject() {
      return permit.subject();
    }

    @Override
    public CompletionStage<PermitAttempt> on(Store store, Call call) {
      return store.semaphores().acquire(this, call);
    }

    @Override
    public Outcome outcome(PermitAttempt answer) {
      if (answer instanceof PermitAttempt.Held) {
        return Outcome.DONE;
      }
      if (answer instanceof PermitAttempt.Waiting) {
        return Outcome.not(Reason.QUEUED);
      }
      return Outcome.not(answer instanceof PermitAttempt.Busy ? Reason.BUSY : Reason.LIMIT_DIFFERS);
    }
  }

  /**
   * Confirms a slot that was granted.
   *
   * @param ttl the longest the slot may be held, counted from now
   * @param heartbeatTimeout how long after its last sign of life the permit counts as dead
   */
  record Confirm(PermitReference permit, Duration ttl, Duration heartbeatTimeout)
      implements SemaphoreOperation<PermitState> {

    @Override
    public String label() {
      return "confirm";
    }

    @Override
    public Subject subject() {
      return permit.subject();
    }

    @Override
    public CompletionStage<PermitState> on(Store store, Call call) {
      return store.semaphores().confirm(this, call);
    }

    @Override
    public Outcome outcome(PermitState answer) {
      return Outcome.of(answer == PermitState.HOLDING, Reason.LOST);
    }
  }

  /** Gives up a slot, confirmed or not, or a place in the queue. */
  record Release(PermitReference permit) implements SemaphoreOperation<PermitReleaseResult> {

    @Override
    public String label() {
      return "release";
    }

    @Override
    public Subject subject() {
      return permit.subject();
    }

    @Override
    public CompletionStage<PermitReleaseResult> on(Store store, Call call) {
      return store.semaphores().release(this, call);
    }

    @Override
    public Outcome outcome(PermitReleaseResult answer) {
      return Outcome.of(answer != PermitReleaseResult.NOT_FOUND, Reason.NOT_FOUND);
    }
  }

  /**
   * A sign of life for some of a client's permits of one name, waiting and holding ones alike.
   *
   * @param name the semaphore's name
   * @param permits who is alive; at most {@link #MOST_PERMITS}
   * @param timeout how long from now they count as alive
   */
  record Ping(ResourceKey name, List<PermitId> permits, Duration timeout)
      implements SemaphoreOperation<List<PermitState>> {

    /** How many permits one covers, so that a store is not busy with one for too long. */
    public static final int MOST_PERMITS = 500;

    /** Keeps a copy of the list. */
    public Ping {
      permits = List.copyOf(permits);
    }

    @Override
    public String label() {
      return "ping";
    }

    @Override
    public Subject subject() {
      return Subject.ofSemaphore(name.value(), null);
    }

    @Override
    public int ids() {
      return permits.size();
    }

    @Override
    public CompletionStage<List<PermitState>> on(Store store, Call call) {
      return store.semaphores().ping(this, call);
    }

    @Override
    public Outcome outcome(List<PermitState> answer) {
      return Outcome.of(!answer.contains(PermitState.GONE), Reason.LOST);
    }
  }

  /** Changes the limit of a name in use. */
  record Resize(ResourceKey name, int limit) implements SemaphoreOperation<Boolean> {

    @Override
    public String label() {
      return "resize";
    }

    @Override
    public Subject subject() {
      return Subject.ofSemaphore(name.value(), null);
    }

    @Override
    public CompletionStage<Boolean> on(Store store, Call call) {
      return store.semaphores().resize(this, call);
    }

    @Override
    public Outcome outcome(Boolean answer) {
      return Outcome.of(answer, Reason.NOT_FOUND);
    }
  }

  /** Asks how a name is used. */
  record Stats(ResourceKey name) implements SemaphoreOperation<Optional<SemaphoreStats>> {

    @Override
    public String label() {
      return "stats";
    }

    @Override
    public Subject subject() {
      return Subject.ofSemaphore(name.value(), null);
    }

    @Override
    public CompletionStage<Optional<SemaphoreStats>> on(Store store, Call call) {
      return store.semaphores().stats(this, call);
    }

    @Override
    public Outcome outcome(Optional<SemaphoreStats> answer) {
      return Outcome.of(answer.isPresent(), Reason.NOT_FOUND);
    }
  }

  /** Asks how every name in use is used. */
  record AllStats() implements SemaphoreOperation<List<SemaphoreStats>> {

    @Override
    public String label() {
      return "stats";
    }

    @Override
    public Subject subject() {
      return Subject.ofSemaphore(null, null);
    }

    @Override
    public CompletionStage<List<SemaphoreStats>> on(Store store, Call call) {
      return store.semaphores().stats(this, call);
    }

    @Override
    public Outcome outcome(List<SemaphoreStats> answer) {
      return Outcome.DONE;
    }
  }
}
