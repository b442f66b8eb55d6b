package io.syncguard.redis.connection;

import io.lettuce.core.api.AsyncCloseable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection that is opened when it is first of use, perhaps while the store is being closed. It
 * is closed once, and before the client that opens it, as Lettuce otherwise logs complaints.
 * Thread-safe.
 */
public final class LateConnection<C extends AsyncCloseable> {

  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final Supplier<? extends CompletionStage<? extends C>> connecting;
  private final AtomicBoolean begun = new AtomicBoolean();
  private volatile @Nullable C connection;
  private CompletableFuture<?> underWay = DONE;
  private boolean closed;

  /** Opens nothing yet. */
  public LateConnection(Supplier<? extends CompletionStage<? extends C>> connecting) {
    this.connecting = connecting;
  }

  /** Returns at once what is open; null if nothing is. */
  public @Nullable C get() {
    return connection;
  }

  /**
   * Begins to open it, unless that is done or under way, and returns at once. After a failure the
   * next call tries again.
   *
   * @param use is told when it is open; must not block
   */
  public void open(Consumer<C> use) {
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

  /** Begins to close what is of no use, and returns at once; the next call opens another. */
  public synchronized void drop() {
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
  public void close() {
    CompletableFuture<?> pending;
    synchronized (this) {
      closed = true;
      pending = underWay;
    }
    Connections.letEndSoon(CompletableFuture.allOf(pending, ended().toCompletableFuture()));
  }
}
