package io.syncguard.internal.telemetry;

import io.syncguard.Primitive;
import io.syncguard.Subject;
import io.syncguard.telemetry.Event;
import io.syncguard.telemetry.EventSubject;
import io.syncguard.telemetry.Telemetry;
import io.syncguard.telemetry.TelemetryListener;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes events from operations without delay, and makes and delivers them in a daemon thread. */
final class EventQueue {

  private static final Logger log = LoggerFactory.getLogger(Telemetry.class);
  private static final int CAPACITY = 8192;
  private static final Duration IDLE_THREAD_LIVES = Duration.ofSeconds(10);

  private final TelemetryListener listener;
  private final Predicate<Event> includeRaw;
  private final AtomicLong dropped = new AtomicLong();
  private final ThreadPoolExecutor executor;

  EventQueue(Telemetry telemetry) {
    this.listener = telemetry.listener();
    this.includeRaw = telemetry.includesRaw();
    this.executor =
        new ThreadPoolExecutor(
            1,
            1,
            IDLE_THREAD_LIVES.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(CAPACITY),
            task -> {
              Thread thread = new Thread(task, "syncguard-telemetry");
              thread.setDaemon(true);
              return thread;
            },
            (task, full) -> dropped.incrementAndGet());
    executor.allowCoreThreadTimeOut(true);
  }

  /**
   * Has an event made and delivered, and returns at once.
   *
   * @param subject what it is about
   * @param event makes it
   */
  void add(Primitive primitive, Subject subject, Function<EventSubject, Event> event) {
    try {
      executor.execute(() -> deliver(primitive, subject, event));
    } catch (RuntimeException | Error e) {
      // Where no thread can be started. The operation must not suffer from it.
      dropped.incrementAndGet();
    }
  }

  private void deliver(Primitive primitive, Subject subject, Function<EventSubject, Event> making) {
    long lost = dropped.getAndSet(0);
    if (lost > 0) {
      log.warn("The telemetry listener is too slow: {} events were dropped", lost);
    }
    try {
      EventSubject hashed = EventSubject.of(primitive, subject);
      Event event = making.apply(hashed);
      listener.onEvent(mayShowRaw(event) ? making.apply(hashed.withRaw(subject)) : event);
    } catch (RuntimeException | Error e) {
      log.warn("The telemetry listener failed", e);
    }
  }

  private boolean mayShowRaw(Event event) {
    try {
      return includeRaw.test(event);
    } catch (RuntimeException e) {
      log.warn("The includeRaw predicate failed, so nothing raw is shown", e);
      return false;
    }
  }
}
