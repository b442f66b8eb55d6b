package io.syncguard.testkit;

import io.syncguard.GuardOptions;
import io.syncguard.SyncGuard;
import io.syncguard.spi.Store;
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

  /** Opens a further client with something between it and the store, closed after the test. */
  SyncGuard open(GuardOptions options, UnaryOperator<Store> decoration);

  /** Returns a name that no other test uses. */
  String newName();

  /** Returns options whose time is the fixture's. */
  default GuardOptions guardOptions() {
    return GuardOptions.defaults().withTimeSource(fixture().time()).withKeepOnClose();
  }

  /** Opens a further client with options of its own, closed after the test. */
  default SyncGuard open(GuardOptions options) {
    return open(options, UnaryOperator.identity());
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
