package io.syncguard.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.CancelSignal;
import io.syncguard.spi.LockBackend;
import io.syncguard.spi.ResourceKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Keeps the events it is told of. They arrive in order, so a last known one ends a list. */
final class RecordedEvents implements LockListener {

  private final BlockingQueue<LockEvent> events = new LinkedBlockingQueue<>();
  private final AtomicInteger endings = new AtomicInteger();

  @Override
  public void onEvent(LockEvent event) {
    events.add(event);
  }

  /** Returns all events of the backend since the last time. */
  List<LockEvent> of(LockBackend observed) {
    ResourceKey ending = ResourceKey.of("the end " + endings.incrementAndGet());
    assertThat(observed.isLocked(ending, CancelSignal.never())).isFalse();
    List<LockEvent> taken = new ArrayList<>();
    for (LockEvent next = take(); !ending.hash().equals(next.keyHash()); next = take()) {
      taken.add(next);
    }
    return taken;
  }

  /** Blocks until there is an event and returns it. */
  LockEvent take() {
    try {
      LockEvent event = events.poll(20, TimeUnit.SECONDS);
      assertThat(event).as("an event").isNotNull();
      return event;
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
