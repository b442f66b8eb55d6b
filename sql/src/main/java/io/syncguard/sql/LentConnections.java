package io.syncguard.sql;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connections of a user's DataSource. That may keep its callers waiting for longer than they have
 * time, and listen neither to a signal nor to an interrupt. So a few threads of their own ask it,
 * and the caller leaves them to it when its time is over; a connection that comes too late is given
 * back.
 */
final class LentConnections implements Connections {

  private static final Logger log = LoggerFactory.getLogger(PostgresStore.class);
  private static final int THREADS = 10;

  private final DataSource source;
  private final Workers threads;

  LentConnections(DataSource source, Duration timeout) {
    this.source = source;
    this.threads = new Workers("syncguard-postgres-connecting", THREADS, timeout);
  }

  @Override
  public Connection take(Call call, long deadline) {
    CompletableFuture<Connection> arriving = new CompletableFuture<>();
    FutureTask<?> asking = new FutureTask<>(() -> ask(arriving), null);
    try {
      threads.execute(asking);
    } catch (RejectedExecutionException e) {
      throw call.failure(Code.SERVICE_UNAVAILABLE, "Too many operations wait for a connection", e);
    }
    try (CancelSignal.Registration cancelling =
        call.signal().onCancel(() -> arriving.cancel(false))) {
      return await(arriving, call, deadline);
    } catch (SyncGuardException e) {
      doWithout(arriving, asking);
      throw e;
    }
  }

  private void ask(CompletableFuture<Connection> arriving) {
    try {
      Connection connection = source.getConnection();
      if (!arriving.complete(connection)) {
        giveBack(connection);
      }
    } catch (SQLException | RuntimeException | Error e) {
      arriving.completeExceptionally(e);
    }
  }

  private static Connection await(
      CompletableFuture<Connection> arriving, Call call, long deadline) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return arriving.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
          if (call.interruptible()) {
            throw call.failure(
                Code.ABORTED, "The thread was interrupted while it waited for a connection", e);
          }
        }
      }
    } catch (CancellationException e) {
      throw call.failure(
          Code.ABORTED, "The operation was cancelled while it waited for a connection", e);
    } catch (TimeoutException e) {
      throw call.failure(
          Code.SERVICE_UNAVAILABLE,
          "The DataSource gave no connection in time: all of them are in use, perhaps by this"
              + " thread's own transaction, or PostgreSQL does not answer",
          e);
    } catch (ExecutionException e) {
      throw PostgresFailures.whileConnecting(e.getCause(), call);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Many a pool listens to an interrupt, and then keeps no place for one who has left. */
  private static void doWithout(CompletableFuture<Connection> arriving, Future<?> asking) {
    if (!arriving.cancel(false)) {
      CompletionStage<Connection> arrived = arriving;
      arrived.whenComplete(
          (connection, failure) -> {
            if (connection != null) {
              giveBack(connection);
            }
          });
    }
    asking.cancel(true);
  }

  private static void giveBack(Connection connection) {
    try {
      connection.close();
    } catch (SQLException | RuntimeException e) {
      log.debug("A connection that came too late could not be given back", e);
    }
  }

  /** The DataSource is its owner's and stays open. */
  @Override
  public void close() {
    threads.close();
  }
}
