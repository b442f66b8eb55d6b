package io.syncguard.testkit.scan;

import io.syncguard.CancelSignal;
import io.syncguard.spi.Scan;
import io.syncguard.spi.Store;
import io.syncguard.testkit.StoreSuite;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What the suites have to work with. */
public interface ScanSuite extends StoreSuite {

  /** More than any store has on a page. */
  int SEVERAL_PAGES = 1100;

  /** Walks to the end, as another client; returns all pages, empty ones as well. */
  default <T> List<List<T>> walk(Function<Store, Scan<T>> begin) {
    try (Store store = fixture().openClient()) {
      return pages(begin.apply(store));
    }
  }

  /** Walks to the end; returns all pages, empty ones as well. */
  static <T> List<List<T>> pages(Scan<T> scan) {
    List<List<T>> pages = new ArrayList<>();
    Optional<List<T>> page = scan.next(CancelSignal.never());
    while (page.isPresent()) {
      pages.add(page.get());
      page = scan.next(CancelSignal.never());
    }
    return pages;
  }

  /** Walks to the end; returns all that was found. */
  static <T> List<T> all(Scan<T> scan) {
    return pages(scan).stream().flatMap(List::stream).toList();
  }
}
