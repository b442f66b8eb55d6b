package io.syncguard.memory;

import static java.util.concurrent.CompletableFuture.completedFuture;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.Call;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.WaiterHints;
import io.syncguard.spi.Watch;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitId;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.PermitState;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Semaphores in a map. Each operation takes effect in one atomic step on its name's entry, which is
 * there only while the name has a holder or a waiter. Hints run after that step.
 */
final class MemorySemaphores extends MemoryPart implements SemaphoreBackend {

  private final ConcurrentHashMap<ResourceKey, SemaphoreState> states = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<PermitId, WaiterHints<PermitAttempt.Held>> hints =
      new ConcurrentHashMap<>();

  MemorySemaphores(StoreClock clock) {
    super(clock);
  }

  @Override
  public CompletionStage<PermitAttempt> acquire(SemaphoreOperation.Acquire acquire, Call call) {
    begin(call.signal());
    Step<PermitAttempt> step = new Step<>(state -> state.acquire(acquire, clock.nowMs()));
    states.compute(
        acquire.permit().name(),
        (name, present) ->
            step.take(present == null ? new SemaphoreState(acquire.limit()) : present));
    step.hint();
    sweepLater();
    return completedFuture(step.resultOr(new PermitAttempt.Busy()));
  }

  @Override
  public CompletionStage<PermitReleaseResult> release(
      SemaphoreOperation.Release release, Call call) {
    begin(call.signal());
    PermitReference permit = release.permit();
    return completedFuture(
        inUse(permit.name(), state -> state.release(permit.id(), clock.nowMs()))
            .resultOr(PermitReleaseResult.NOT_FOUND));
  }

  @Override
  public CompletionStage<List<PermitState>> ping(SemaphoreOperation.Ping ping, Call call) {
    begin(call.signal());
    return completedFuture(
        inUse(ping.name(), state -> state.ping(ping, clock.nowMs()))
            .resultOr(ping.permits().stream().map(id -> PermitState.GONE).toList()));
  }

  @Override
  public CompletionStage<Boolean> resize(SemaphoreOperation.Resize resize, Call call) {
    begin(call.signal());
    return completedFuture(
        inUse(resize.name(), state -> state.resize(resize.limit(), clock.nowMs())).resultOr(false));
  }

  @Override
  public CompletionStage<Optional<SemaphoreStats>> stats(
      SemaphoreOperation.Stats question, Call call) {
    begin(call.signal());
    return completedFuture(stats(question.name()));
  }

  @Override
  public CompletionStage<List<SemaphoreStats>> stats(
      SemaphoreOperation.AllStats question, Call call) {
    begin(call.signal());
    return completedFuture(
        states.keySet().stream().map(this::stats).flatMap(Optional::stream).toList());
  }

  Scan<SemaphoreStats> scan() {
    return new MapScan<>(this, states.keySet().iterator(), this::stats);
  }

  private Optional<SemaphoreStats> stats(ResourceKey name) {
    Step<SemaphoreStats> step = new Step<>(state -> state.stats(name, clock.nowMs()));
    states.computeIfPresent(name, (key, state) -> step.take(state));
    return Optional.ofNullable(step.result)
        .filter(stats -> stats.acquired() > 0 || stats.waiting() > 0);
  }

  @Override
  public Optional<Watch> watch(PermitReference waiter, WaiterHints<PermitAttempt.Held> hints) {
    this.hints.put(waiter.id(), hints);
    return Optional.of(() -> this.hints.remove(waiter.id(), hints));
  }

  private <R> Step<R> inUse(ResourceKey name, Function<SemaphoreState, R> change) {
    Step<R> step = new Step<>(change);
    states.computeIfPresent(name, (key, state) -> step.take(state));
    step.hint();
    return step;
  }

  @Override
  boolean sweep() {
    for (ResourceKey name : states.keySet()) {
      inUse(
          name,
          state -> {
            state.settle(clock.nowMs());
            return true;
          });
    }
    return !states.isEmpty();
  }

  @Override
  int size() {
    return states.size() + hints.size();
  }

  @Override
  void clear() {
    states.clear();
    hints.clear();
  }

  /** One change of a name's state, and the waiters to be hinted of it. */
  private final class Step<R> {

    private final Function<SemaphoreState, R> change;
    private List<PermitId> granted = List.of();
    private @Nullable R result;

    Step(Function<SemaphoreState, R> change) {
      this.change = change;
    }

    @Nullable SemaphoreState take(SemaphoreState state) {
      result = change.apply(state);
      granted = state.takeGranted();
      return state.isUnused() ? null : state;
    }

    R resultOr(R unused) {
      return result == null ? unused : result;
    }

    void hint() {
      for (PermitId id : granted) {
        WaiterHints<PermitAttempt.Held> waiter = hints.get(id);
        if (waiter != null) {
          waiter.look();
        }
      }
    }
  }
}
