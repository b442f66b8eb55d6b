package io.syncguard.telemetry;

import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes events from operations without delay, and makes and delivers them in a daemon thread. */
final class EventQueue<E> {

  private static final Logger log = LoggerFactory.getLogger(Telemetry.class);
  private static final int CAPACITY = 8192;
  private static final Duration IDLE_THREAD_LIVES = Duration.ofSeconds(10);

  private final Consumer<E> listener;
  private final Predicate<E> includeRaw;
  private final AtomicLong dropped = new AtomicLong();
  private final ThreadPoolExecutor executor;

  EventQueue(Consumer<E> listener, Predicate<E> includeRaw) {
    this.listener = listener;
    this.includeRaw = includeRaw;
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
   * @param withRaw adds the raw identifiers, if they may be shown
   */
  void add(Supplier<E> event, UnaryOperator<E> withRaw) {
    try {
      executor.execute(() -> deliver(event, withRaw));
    } catch (RuntimeException | Error e) {
      // Where no thread can be started. Who does the operation must not suffer from it.
      dropped.incrementAndGet();
    }
  }

  private void deliver(Supplier<E> supplier, UnaryOperator<E> withRaw) {
    long lost = dropped.getAndSet(0);
    if (lost > 0) {
      log.warn("The telemetry listener is too slow: {} events were dropped", lost);
    }
    try {
      E event = supplier.get();
      listener.accept(mayShowRaw(event) ? withRaw.apply(event) : event);
    } catch (RuntimeException | Error e) {
      log.warn("The telemetry listener failed", e);
    }
  }

  private boolean mayShowRaw(E event) {
    try {
      return includeRaw.test(event);
    } catch (RuntimeException e) {
      log.warn("The includeRaw predicate failed, so nothing raw is shown", e);
      return false;
    }
  }
}
