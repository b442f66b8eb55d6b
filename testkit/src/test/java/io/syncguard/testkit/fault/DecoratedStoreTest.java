package io.syncguard.testkit.fault;

import static io.syncguard.testkit.StoreSuite.ask;
import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.counter.CounterResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.limit.LimitOperation;
import io.syncguard.spi.lock.LockBackend;
import io.syncguard.spi.semaphore.SemaphoreBackend;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What forwards must forward everything, also what is added to the SPI later. */
class DecoratedStoreTest {

  private static final LimitOperation.Increment HIT =
      new LimitOperation.Increment(ResourceKey.of("k"), 9, Duration.ofMinutes(1));

  /** Notes which of its methods was called, and returns another answer from each. */
  private static final class Noting implements InvocationHandler {

    private final List<Method> called = new ArrayList<>();
    private final List<Object> returned = new ArrayList<>();

    <T> T as(Class<T> type) {
      return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, this));
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
      called.add(method);
      Object answer = someOf(method.getReturnType());
      returned.add(answer);
      return answer;
    }
  }

  /** Returns a value that no other call has returned, where the type allows it. */
  private static Object someOf(Class<?> type) {
    Map<Class<?>, Object> known =
        Map.of(
            boolean.class,
            true,
            Optional.class,
            Optional.of(new Object()),
            List.class,
            new ArrayList<>(),
            CompletionStage.class,
            new CompletableFuture<>());
    if (known.containsKey(type)) {
      return known.get(type);
    }
    return type.isInterface() ? new Noting().as(type) : null;
  }

  static Stream<Method> methodsOfAStore() {
    return methodsOf(Store.class);
  }

  private static Stream<Method> methodsOf(Class<?> type) {
    return Arrays.stream(type.getMethods()).filter(m -> !Modifier.isStatic(m.getModifiers()));
  }

  @ParameterizedTest
  @MethodSource("methodsOfAStore")
  void everyMethodOfAStoreIsForwarded(Method method) throws Exception {
    Noting noting = new Noting();
    assertForwards(
        method, new DecoratedStore(noting.as(Store.class), UnaryOperator.identity()), noting);
  }

  static Stream<Method> methodsOfLocks() {
    return methodsOf(LockBackend.class);
  }

  @ParameterizedTest
  @MethodSource("methodsOfLocks")
  void everyMethodOfLocksIsForwarded(Method method) throws Exception {
    Noting noting = new Noting();
    assertForwards(method, new ForwardingLocks(noting.as(LockBackend.class)), noting);
  }

  static Stream<Method> methodsOfSemaphores() {
    return methodsOf(SemaphoreBackend.class);
  }

  @ParameterizedTest
  @MethodSource("methodsOfSemaphores")
  void everyMethodOfSemaphoresIsForwarded(Method method) throws Exception {
    Noting noting = new Noting();
    assertForwards(method, new ForwardingSemaphores(noting.as(SemaphoreBackend.class)), noting);
  }

  private static void assertForwards(Method method, Object forwarding, Noting noting)
      throws Exception {
    Object answer = method.invoke(forwarding, new Object[method.getParameterCount()]);
    assertThat(noting.called).hasSize(1);
    Method called = noting.called.get(0);
    assertThat(called.getName()).isEqualTo(method.getName());
    assertThat(called.getParameterTypes()).isEqualTo(method.getParameterTypes());
    if (method.getReturnType().isPrimitive()) {
      assertThat(answer).isEqualTo(noting.returned.get(0));
    } else {
      assertThat(answer).isSameAs(noting.returned.get(0));
    }
  }

  @Test
  void aStoreThatIsKeptOpenIsNotClosed() {
    Noting noting = new Noting();
    DecoratedStore.keptOpen(noting.as(Store.class)).close();
    assertThat(noting.called).isEmpty();
  }

  @Test
  void operationsPassThroughDecorationsFromTheOutsideIn() {
    List<String> passed = new ArrayList<>();
    try (Store store =
        new DecoratedStore(
            new DecoratedStore(memory(), next -> noting(passed, "inner", next)),
            next -> noting(passed, "outer", next))) {
      ask(store, HIT);
    }
    assertThat(passed).containsExactly("outer", "inner");
  }

  private static OperationExecutor noting(
      List<String> passed, String name, OperationExecutor next) {
    return Interception.on(
            LimitOperation.Increment.class,
            (hit, call, further) -> {
              passed.add(name);
              return further.execute(hit, call);
            })
        .apply(next);
  }

  @Test
  void aStoreThatAnswersInPlaceBlocksUntilTheAnswerIsThere() throws Exception {
    CompletableFuture<CounterResult> answer = new CompletableFuture<>();
    Interception later = Interception.on(LimitOperation.Increment.class, (hit, c, n) -> answer);
    try (Store store =
        DecoratedStore.inPlace(new DecoratedStore(memory(), later), UnaryOperator.identity())) {
      CompletableFuture<CompletionStage<CounterResult>> asking =
          CompletableFuture.supplyAsync(() -> store.execute(HIT, Call.plain()));
      assertThat(asking).isNotDone();
      answer.complete(new CounterResult.Counted(1, 8, Instant.MAX));
      assertThat(asking.join().toCompletableFuture()).isCompleted();
      assertThat(store.workers()).isEmpty();
    }
  }

  @Test
  void whatIsNotInterceptedPasses() {
    List<Operation<?>> seen = new ArrayList<>();
    Interception resets =
        Interception.on(
                LimitOperation.Reset.class,
                (reset, call, next) -> {
                  seen.add(reset);
                  return CompletableFuture.completedFuture(false);
                })
            .andOn(
                LimitOperation.Current.class,
                (question, call, next) -> {
                  seen.add(question);
                  return next.execute(question, call);
                });
    try (Store store = new DecoratedStore(memory(), resets)) {
      ask(store, HIT);
      assertThat(ask(store, new LimitOperation.Reset(HIT.key()))).isFalse();
      assertThat(ask(store, new LimitOperation.Current(HIT.key()))).isPresent();
    }
    assertThat(seen)
        .containsExactly(
            new LimitOperation.Reset(HIT.key()), new LimitOperation.Current(HIT.key()));
  }

  private static Store memory() {
    return StoreProvider.openStore("memory:", TimeSource.system());
  }
}
