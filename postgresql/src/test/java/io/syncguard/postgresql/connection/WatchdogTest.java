package io.syncguard.postgresql.connection;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.jdbc.script.SqlCall;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What ends calls that take too long, also without threads and when the store is closed. */
@Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchdogTest {

  private static final Duration LONGEST = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofMillis(100);

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger threadsToFail = new AtomicInteger();
  private final AtomicReference<Runnable> whileGivenBack = new AtomicReference<>(() -> {});
  private final Watchdog watchdog =
      new Watchdog(LONGEST, taken -> events.add("kept"), this::thread);

  @AfterEach
  void close() {
    watchdog.close();
  }

  private Thread thread(Runnable task) {
    return new Thread(task) {
      @Override
      public synchronized void start() {
        if (threadsToFail.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
          throw new OutOfMemoryError("planted: unable to create native thread");
        }
        super.start();
      }
    };
  }

  /** Notes what is done to it. It is none of the driver's, so that its statement is cancelled. */
  private Connection connection() {
    return proxy(
        Connection.class,
        method -> {
          switch (method) {
            case "abort" -> events.add("cut");
            case "close" -> {
              whileGivenBack.get().run();
              events.add("given back");
            }
            default -> {}
          }
        });
  }

  private Watchdog.Watched watch(Duration time) {
    Watchdog.Watched watched =
        watchdog.watch(
            new Connections.Taken(connection(), System.nanoTime()),
            SqlCall.ofStore(),
            System.nanoTime() + time.toNanos());
    watched.runs(
        proxy(
            Statement.class,
            method -> {
              if (method.equals("cancel")) {
                events.add("told");
              }
            }));
    return watched;
  }

  private static <T> T proxy(Class<T> type, Consumer<String> called) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              called.accept(method.getName());
              return method.getReturnType() == boolean.class ? false : null;
            }));
  }

  @Test
  void aCallThatCannotBeEndedForLackOfThreadsIsEndedWhenThereAreSome() throws Exception {
    Watchdog.Watched first = watch(LONGEST);
    threadsToFail.set(3);
    Watchdog.Watched late = watch(SHORT);
    eventually(() -> assertThat(events).contains("cut"));
    assertThat(threadsToFail).hasValue(0);
    assertThat(late.isCut()).isTrue();
    first.close();
    late.close();
    eventually(
        () -> assertThat(events).containsExactlyInAnyOrder("cut", "given back", "given back"));
  }

  @Test
  void onlyTheConnectionOfACallThatWorkedIsKept() {
    watch(LONGEST).close();
    assertThat(events).containsExactly("given back");
    Watchdog.Watched good = watch(LONGEST);
    good.worked();
    good.close();
    assertThat(events).containsExactly("given back", "kept");
    Watchdog.Watched calledOff = watch(LONGEST);
    calledOff.worked();
    calledOff.cancel();
    calledOff.close();
    assertThat(events).endsWith("given back");
  }

  @Test
  void aCallDoesNotWaitForATellingThatNeverBegan() {
    Watchdog.Watched cancelled = watch(LONGEST);
    threadsToFail.set(1);
    cancelled.cancel();
    cancelled.close();
    assertThat(events).containsExactly("given back");
  }

  @Test
  void aWatchdogThatCouldNotBeStartedIsStartedByTheNextCall() throws Exception {
    threadsToFail.set(1);
    watch(SHORT);
    try (Watchdog.Watched next = watch(LONGEST)) {
      eventually(() -> assertThat(events).containsExactly("told", "cut"));
      assertThat(next.isCancelled()).isFalse();
    }
  }

  @Test
  void whatIsUnderWayWhenTheStoreIsClosedIsEndedByItsTime() throws Exception {
    Watchdog.Watched underWay = watch(Duration.ofMillis(300));
    watchdog.close();
    eventually(() -> assertThat(events).containsExactly("told", "cut"));
    underWay.close();
    eventually(() -> assertThat(events).containsExactly("told", "cut", "given back"));
  }

  @Test
  void aCallOfTheLastMomentIsEndedByItsTimeToo() throws Exception {
    watch(LONGEST).close();
    watchdog.close();
    eventually(() -> assertThat(watchdogs()).isZero());
    watch(SHORT);
    eventually(() -> assertThat(events).containsExactly("given back", "told", "cut"));
  }

  @Test
  void theThreadEndsWithTheLastCallOfAClosedStore() throws Exception {
    Watchdog.Watched underWay = watch(LONGEST);
    watchdog.close();
    underWay.close();
    eventually(() -> assertThat(watchdogs()).isZero());
  }

  private static long watchdogs() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("syncguard-postgres-watchdog"))
        .count();
  }

  @Test
  void theNextUserOfAConnectionIsNotToldToGiveUp() throws Exception {
    Watchdog.Watched over = watch(LONGEST);
    whileGivenBack.set(over::cancel);
    over.close();
    over.cancel();
    assertThat(over.isCancelled()).isFalse();
    assertThat(events).containsExactly("given back");
  }
}
