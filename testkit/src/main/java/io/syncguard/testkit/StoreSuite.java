package io.syncguard.testkit;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.lock.Locks;
import io.syncguard.secret.Secrets;
import io.syncguard.spi.Call;
import io.syncguard.spi.Operation;
import io.syncguard.spi.OperationExecutor;
import io.syncguard.spi.Store;
import io.syncguard.testkit.fault.DecoratedStore;
import io.syncguard.testkit.fault.Faults;
import io.syncguard.testkit.lock.LockSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;

/** What suites have to work with: two clients of one store, and more on request. */
public interface StoreSuite {

  /** A time that ends only when a test wants it to. */
  Duration LONG = Duration.ofHours(1);

  /** Returns the store under test. */
  StoreFixture fixture();

  /** Returns one client. */
  SyncGuard guard();

  /** Returns another client of the same store. */
  SyncGuard otherGuard();

  /** Opens a further client over what is made of the store, closed after the test. */
  SyncGuard openOver(GuardOptions options, UnaryOperator<Store> decoration);

  /** Returns a name that no other test uses. */
  String newName();

  /** Returns options whose time is the fixture's. */
  default GuardOptions guardOptions() {
    return GuardOptions.defaults().withTimeSource(fixture().time()).withKeepOnClose();
  }

  /** Opens a further client with these options, closed after the test. */
  default SyncGuard open(GuardOptions options) {
    return openOver(options, UnaryOperator.identity());
  }

  /** Opens a further client whose operations pass through a decoration, closed after the test. */
  default SyncGuard open(GuardOptions options, UnaryOperator<OperationExecutor> decoration) {
    return openOver(options, store -> new DecoratedStore(store, decoration));
  }

  /**
   * The same, with every operation {@linkplain DecoratedStore#inPlace answered in the thread that
   * asks}, so that a test that moves time sees the effect at once. Not for tests with waiters.
   */
  default SyncGuard openInPlace(GuardOptions options, UnaryOperator<OperationExecutor> decoration) {
    return openOver(options, store -> DecoratedStore.inPlace(store, decoration));
  }

  /**
   * A client of the store under test that fails on request.
   *
   * @param faults what to tell it by how to fail
   */
  record FaultyClient(SyncGuard guard, Faults faults) {

    /** Returns its locks. */
    public Locks locks() {
      return guard.locks();
    }

    /** Returns its secrets. */
    public Secrets secrets() {
      return guard.secrets();
    }
  }

  /** Opens a further client with these faults, closed after the test. */
  default FaultyClient openFaulty(GuardOptions options, Faults faults) {
    return new FaultyClient(open(options, faults), faults);
  }

  /** Puts an operation to a bare store and waits for the answer; throws what it failed with. */
  static <A> A ask(OperationExecutor store, Operation<A> operation) {
    return LockSuite.join(store.execute(operation, Call.plain()));
  }

  /** Has so many threads do the same at the same time; returns what each came to. */
  static <T> List<T> together(int threads, Callable<T> work) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(threads);
    try {
      List<T> results = new ArrayList<>();
      for (Future<T> result : executor.invokeAll(Collections.nCopies(threads, work))) {
        results.add(result.get());
      }
      return results;
    } finally {
      executor.shutdownNow();
    }
  }
}
