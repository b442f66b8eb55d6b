package io.syncguard.postgresql.connection;

import io.syncguard.CancelSignal;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlCall;
import io.syncguard.jdbc.script.WorkerThreads;
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

/**
 * Connections of a user's DataSource. It may keep its callers waiting for longer than they have
 * time, and listen neither to a signal nor to an interrupt. So a few separate threads ask it, and a
 * caller whose time is over goes on without them; a connection that comes too late is given back. A
 * busy process uses the same connections again for a moment, which saves the change of threads.
 */
public final class LentConnections implements Connections {

  private static final int THREADS = 10;

  private final DataSource source;
  private final WorkerThreads threads;
  private final KeptConnections kept;

  public LentConnections(DataSource source, Duration timeout) {
    this.source = source;
    this.threads = new WorkerThreads("syncguard-postgres-connecting", THREADS, timeout);
    this.kept = new KeptConnections(timeout);
  }

  @Override
  public Taken take(SqlCall call, long deadline) {
    Taken again = kept.poll();
    return again == null ? askFor(call, deadline) : again;
  }

  @Override
  public void putBack(Taken taken) {
    kept.keep(taken);
  }

  private Taken askFor(SqlCall call, long deadline) {
    CompletableFuture<Taken> arriving = new CompletableFuture<>();
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

  private void ask(CompletableFuture<Taken> arriving) {
    try {
      Taken taken = new Taken(source.getConnection(), System.nanoTime());
      if (!arriving.complete(taken)) {
        taken.giveBack();
      }
    } catch (SQLException | RuntimeException | Error e) {
      arriving.completeExceptionally(e);
    }
  }

  private static Taken await(CompletableFuture<Taken> arriving, SqlCall call, long deadline) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return arriving.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
          if (call.isInterruptible()) {
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

  /** Many pools listen to an interrupt, and then keep no place for a caller that has left. */
  private static void doWithout(CompletableFuture<Taken> arriving, Future<?> asking) {
    if (!arriving.cancel(false)) {
      CompletionStage<Taken> arrived = arriving;
      arrived.whenComplete(
          (taken, failure) -> {
            if (taken != null) {
              taken.giveBack();
            }
          });
    }
    asking.cancel(true);
  }

  /** The DataSource is its owner's and stays open. */
  @Override
  public void close() {
    kept.close();
    threads.close();
  }
}
