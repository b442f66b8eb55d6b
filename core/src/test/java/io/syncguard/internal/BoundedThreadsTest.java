package io.syncguard.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BoundedThreadsTest {

  @Test
  void aThreadThatCannotBeStartedCostsNoTaskAndFailsNoCaller() throws InterruptedException {
    AtomicInteger starts = new AtomicInteger();
    BoundedThreads threads =
        new BoundedThreads(
            "test",
            2,
            task -> {
              if (starts.incrementAndGet() <= 2) {
                throw new OutOfMemoryError("unable to create native thread (planted)");
              }
              return new Thread(task);
            });
    CountDownLatch ran = new CountDownLatch(1);
    threads.execute(ran::countDown);
    assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void soManyRunAtTheMostAndTheOthersWait() throws InterruptedException {
    BoundedThreads threads = new BoundedThreads("test", 3);
    Set<Thread> used = ConcurrentHashMap.newKeySet();
    CountDownLatch go = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(20);
    for (int i = 0; i < 20; i++) {
      threads.execute(
          () -> {
            used.add(Thread.currentThread());
            awaitQuietly(go);
            done.countDown();
          });
    }
    go.countDown();
    assertThat(done.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(used).hasSizeLessThanOrEqualTo(3).allMatch(Thread::isDaemon);
  }

  @Test
  void aTaskThatThrowsEndsNothing() throws InterruptedException {
    BoundedThreads threads = new BoundedThreads("test", 1);
    CountDownLatch ran = new CountDownLatch(1);
    threads.execute(
        () -> {
          throw new AssertionError("planted");
        });
    threads.execute(ran::countDown);
    assertThat(ran.await(1, TimeUnit.MINUTES)).isTrue();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
