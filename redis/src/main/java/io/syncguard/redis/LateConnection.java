package io.syncguard.redis;

import io.lettuce.core.api.AsyncCloseable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened when it is first of use, perhaps while the store is being closed. It
 * is closed once, and before the client that opens it, since Lettuce complains in the log of
 * anything else. Thread-safe.
 */
final class LateConnection<C extends AsyncCloseable> {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final Supplier<? extends CompletionStage<? extends C>> connecting;
  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile @Nullable C connection;
  private CompletableFuture<?> underWay = DONE;
  private boolean closed;

  LateConnection(Supplier<? extends CompletionStage<? extends C>> connecting) {
    this.connecting = connecting;
  }

  /** Returns at once what is open. */
  @Nullable C get() {
    return connection;
  }

  /**
   * Begins to open it, unless that is done or under way; what failed is tried again by the next
   * call.
   *
   * @param use is told when it is open; must not block
   */
  void open(Consumer<C> use) {
    if (begun.compareAndSet(false, true)) {
      begin(use);
    }
  }

  private synchronized void begin(Consumer<C> use) {
    if (!closed) {
      CompletionStage<Void> opening =
          connecting()
              .handle((opened, failure) -> settled(opened, use))
              .thenCompose(ended -> ended);
      underWay = CompletableFuture.allOf(underWay, opening.toCompletableFuture());
    }
  }

  private CompletionStage<? extends C> connecting() {
    try {
      return connecting.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Void> settled(@Nullable C opened, Consumer<C> use) {
    if (opened == null) {
      begun.set(false);
      return DONE;
    }
    synchronized (this) {
      if (closed) {
        return opened.closeAsync();
      }
      connection = opened;
    }
    use.accept(opened);
    return DONE;
  }

  /** Begins to close what is of no use; the next call opens another. */
  synchronized void drop() {
    underWay = ended().toCompletableFuture();
    begun.set(false);
  }

  private CompletionStage<Void> ended() {
    C open;
    synchronized (this) {
      open = connection;
      connection = null;
    }
    return open == null ? DONE : open.closeAsync();
  }

  /** Blocks until it is closed, but not for long. Nothing is opened any more. */
  void close() {
    CompletableFuture<?> pending;
    synchronized (this) {
      closed = true;
      pending = underWay;
    }
    Connections.letEndSoon(CompletableFuture.allOf(pending, ended().toCompletableFuture()));
  }
}
