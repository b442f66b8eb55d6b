package io.syncguard.memory;

import io.syncguard.CancelSignal;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.AsyncSemaphoreBackend;
import io.syncguard.spi.Heartbeat;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitId;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.PermitWatch;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Scan;
import io.syncguard.spi.SemaphoreBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Semaphores in a map. Each operation takes effect in one atomic step on its name's entry, which is
 * there only while anybody holds a slot or waits. Hints run after that step.
 */
final class MemorySemaphores implements SemaphoreBackend, Sweeper.Sweepable {

  private final StoreClock clock;
  private final ConcurrentHashMap<ResourceKey, SemaphoreState> states = new ConcurrentHashMap<>();
  private final ConcurrentHashMap<PermitId, Runnable> hints = new ConcurrentHashMap<>();
  private final AsyncSemaphoreBackend async = AsyncSemaphoreBackend.of(this, Runnable::run);
  private final Sweeper sweeper;
  private final OpenState open = new OpenState();

  MemorySemaphores(StoreClock clock) {
    this.clock = clock;
    this.sweeper = new Sweeper(clock.time(), this);
  }

  @Override
  public AsyncSemaphoreBackend async() {
    return async;
  }

  @Override
  public PermitAttempt acquire(PermitRequest request, CancelSignal signal) {
    open.begin(signal);
    Step<PermitAttempt> step = new Step<>(state -> state.acquire(request, clock.nowMs()));
    states.compute(
        request.permit().name(),
        (name, present) ->
            step.take(present == null ? new SemaphoreState(request.limit()) : present));
    step.hint();
    sweeper.start();
    return step.resultOr(new PermitAttempt.Busy());
  }

  @Override
  public PermitReleaseResult release(PermitReference permit, Duration timeout) {
    open.begin(CancelSignal.never());
    return inUse(permit.name(), state -> state.release(permit.id(), clock.nowMs()))
        .resultOr(PermitReleaseResult.NOT_FOUND);
  }

  @Override
  public List<PermitState> ping(Heartbeat heartbeat) {
    open.begin(CancelSignal.never());
    return inUse(heartbeat.name(), state -> state.ping(heartbeat, clock.nowMs()))
        .resultOr(heartbeat.permits().stream().map(id -> PermitState.GONE).toList());
  }

  @Override
  public boolean resize(ResourceKey name, int limit, CancelSignal signal) {
    open.begin(signal);
    return inUse(name, state -> state.resize(limit, clock.nowMs())).resultOr(false);
  }

  @Override
  public Optional<SemaphoreStats> stats(ResourceKey name, CancelSignal signal) {
    open.begin(signal);
    Step<SemaphoreStats> step = new Step<>(state -> state.stats(name, clock.nowMs()));
    states.computeIfPresent(name, (key, state) -> step.take(state));
    return Optional.ofNullable(step.result)
        .filter(stats -> stats.acquired() > 0 || stats.waiting() > 0);
  }

  @Override
  public List<SemaphoreStats> stats(CancelSignal signal) {
    List<SemaphoreStats> all = new ArrayList<>();
    for (ResourceKey name : states.keySet()) {
      stats(name, signal).ifPresent(all::add);
    }
    return all;
  }

  Scan<SemaphoreStats> scan() {
    return new MapScan<>(
        open, states.keySet().iterator(), name -> stats(name, CancelSignal.never()));
  }

  @Override
  public Optional<PermitWatch> watch(PermitReference waiter, Runnable hint) {
    hints.put(waiter.id(), hint);
    return Optional.of(() -> hints.remove(waiter.id(), hint));
  }

  private <R> Step<R> inUse(ResourceKey name, Function<SemaphoreState, R> change) {
    Step<R> step = new Step<>(change);
    states.computeIfPresent(name, (key, state) -> step.take(state));
    step.hint();
    return step;
  }

  @Override
  public boolean sweep() {
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

  int size() {
    return states.size() + hints.size();
  }

  void close() {
    open.close();
    states.clear();
    hints.clear();
  }

  /** One change of a name's state, and who has to be hinted of it. */
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
        Runnable hint = hints.get(id);
        if (hint != null) {
          hint.run();
        }
      }
    }
  }
}
