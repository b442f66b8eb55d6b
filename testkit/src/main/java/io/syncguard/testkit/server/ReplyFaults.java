package io.syncguard.testkit.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** What a {@link FaultyProxy} is to do with replies; shared by all its connections. Thread-safe. */
final class ReplyFaults {
  private boolean frozen;
  private long delayNanos;
  private int repliesToDrop;
  private @Nullable String requestToDrop;
  private int dropped;

  synchronized void freeze() {
    frozen = true;
  }

  synchronized void delay(Duration delay) {
    delayNanos = delay.toNanos();
  }

  synchronized void drop(int count) {
    repliesToDrop = count;
  }

  synchronized void dropReplyTo(String requestText) {
    requestToDrop = latin1(requestText.getBytes(UTF_8), requestText.getBytes(UTF_8).length);
  }

  synchronized void heal() {
    frozen = false;
    delayNanos = 0;
    repliesToDrop = 0;
    requestToDrop = null;
    notifyAll();
  }

  synchronized void wakeWaiting() {
    notifyAll();
  }

  synchronized int dropped() {
    return dropped;
  }

  synchronized void countDropped() {
    dropped++;
  }

  /** Whether the reply to this request is to be lost; true at most once for each order. */
  synchronized boolean takesRequest(byte[] bytes, int length) {
    if (requestToDrop == null || !latin1(bytes, length).contains(requestToDrop)) {
      return false;
    }
    requestToDrop = null;
    return true;
  }

  /** Whether a reply that has come is to be lost. */
  synchronized boolean takesReply() {
    if (repliesToDrop == 0) {
      return false;
    }
    repliesToDrop--;
    return true;
  }

  /** Blocks until a reply that has come may be handed on, or is no longer wanted. */
  synchronized void hold(long arrivedNanos, BooleanSupplier abandoned) throws InterruptedException {
    while (!abandoned.getAsBoolean()) {
      long remaining = arrivedNanos + delayNanos - System.nanoTime();
      if (frozen) {
        wait();
      } else if (remaining > 0) {
        TimeUnit.NANOSECONDS.timedWait(this, remaining);
      } else {
        return;
      }
    }
  }

  /** One char for each byte, so that a text search is a byte search. */
  private static String latin1(byte[] bytes, int length) {
    return new String(bytes, 0, length, ISO_8859_1);
  }
}
