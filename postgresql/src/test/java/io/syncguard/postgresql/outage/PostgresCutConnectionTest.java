package io.syncguard.postgresql.outage;

import static io.syncguard.testkit.Eventually.eventually;
import static io.syncguard.testkit.lock.LockSuite.assertFails;
import static io.syncguard.testkit.lock.LockSuite.join;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.SyncGuardException.Code;
import io.syncguard.lock.LockId;
import io.syncguard.postgresql.OnPostgres;
import io.syncguard.postgresql.PostgresOptions;
import io.syncguard.postgresql.PostgresStore;
import io.syncguard.spi.lock.AcquireAttempt;
import io.syncguard.testkit.sql.Sql;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** A connection that has to be cut is a pool's again when it is cut, and not before. */
class PostgresCutConnectionTest extends OnPostgres {

  /** What happens instead of a method, by its name. */
  private interface Instead {
    Object call(Method original) throws Exception;
  }

  private interface Method {
    Object call() throws Exception;
  }

  private final List<String> events = new CopyOnWriteArrayList<>();
  private final AtomicInteger opened = new AtomicInteger();
  private final CountDownLatch cutting = new CountDownLatch(1);
  private final CountDownLatch mayCut = new CountDownLatch(1);

  @Test
  void anAnswerThatComesWhileTheConnectionIsCutDoesNotGiveItBack() throws Exception {
    PostgresOptions options = PostgresOptions.defaults().withTimeout(Duration.ofSeconds(1));
    try (PostgresStore lent = PostgresStore.over(connections(), options);
        Connection blocking = sql.begin()) {
      putOffSweeping(lent);
      eventually(() -> assertThat(events).hasSize(opened.get()));
      Sql.rowsOn(blocking, "LOCK TABLE syncguard_locks");
      events.clear();
      CompletableFuture<AcquireAttempt> acquiring =
          inBackground(() -> acquire(lent.locks(), "k", LockId.random()));
      cutting.await();
      blocking.rollback();
      assertFails(Code.NETWORK_TIMEOUT, () -> join(acquiring));
      assertThat(events).isEmpty();
      mayCut.countDown();
      eventually(() -> assertThat(events).containsExactly("cut", "given back"));
    }
  }

  /** Each is new, cannot be told to give up, and is cut when the test allows it. */
  private DataSource connections() {
    return proxy(
        DataSource.class,
        new Object(),
        Map.of(
            "getConnection",
            none -> {
              opened.incrementAndGet();
              return proxy(Connection.class, sql.open(), connection());
            }));
  }

  private Map<String, Instead> connection() {
    return Map.of(
        "isWrapperFor",
        original -> false,
        "prepareStatement",
        original ->
            proxy(
                PreparedStatement.class,
                original.call(),
                Map.of("cancel", none -> "", "isWrapperFor", none -> false)),
        "abort",
        original -> {
          cutting.countDown();
          mayCut.await();
          events.add("cut");
          return original.call();
        },
        "close",
        original -> {
          events.add("given back");
          return original.call();
        });
  }

  private static <T> T proxy(Class<T> type, Object delegate, Map<String, Instead> instead) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Method original =
                  () -> {
                    try {
                      return method.invoke(delegate, arguments);
                    } catch (InvocationTargetException e) {
                      throw (Exception) e.getCause();
                    }
                  };
              Instead replaced = instead.get(method.getName());
              return replaced == null ? original.call() : replaced.call(original);
            }));
  }
}
