package io.syncguard.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.api.AsyncCloseable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LateConnectionTest {

  private static final class Opened implements AsyncCloseable {

    private int timesClosed;
    private CompletableFuture<Void> closing = CompletableFuture.completedFuture(null);

    @Override
    public CompletableFuture<Void> closeAsync() {
      timesClosed++;
      return closing;
    }
  }

  private final List<CompletableFuture<Opened>> attempts = new ArrayList<>();
  private final List<Opened> used = new ArrayList<>();
  private final LateConnection<Opened> connection =
      new LateConnection<>(
          () -> {
            attempts.add(new CompletableFuture<>());
            return attempts.get(attempts.size() - 1);
          });
  private final Opened opened = new Opened();

  @Test
  void itIsOpenedOnceAndClosedOnce() {
    connection.open(used::add);
    assertThat(connection.get()).isNull();
    connection.open(used::add);
    attempts.get(0).complete(opened);
    connection.open(used::add);
    assertThat(attempts).hasSize(1);
    assertThat(used).containsExactly(opened);
    assertThat(connection.get()).isSameAs(opened);
    assertThat(opened.timesClosed).isZero();
    connection.close();
    connection.close();
    connection.drop();
    assertThat(connection.get()).isNull();
    assertThat(opened.timesClosed).isEqualTo(1);
  }

  @Test
  void whatIsOpenedAfterClosingIsClosedWithoutUse() {
    connection.open(used::add);
    connection.close();
    attempts.get(0).complete(opened);
    assertThat(used).isEmpty();
    assertThat(connection.get()).isNull();
    assertThat(opened.timesClosed).isEqualTo(1);
  }

  @Test
  void closingAwaitsWhatIsBeingOpened() {
    connection.open(used::add);
    assertThat(timeToClose()).isGreaterThanOrEqualTo(Connections.PATIENCE_ON_CLOSING);
  }

  @Test
  void closingAwaitsThatItIsClosed() {
    opened.closing = new CompletableFuture<>();
    connection.open(used::add);
    attempts.get(0).complete(opened);
    assertThat(timeToClose()).isGreaterThanOrEqualTo(Connections.PATIENCE_ON_CLOSING);
  }

  @Test
  void closingAwaitsThatWhatWasDroppedIsClosed() {
    opened.closing = new CompletableFuture<>();
    connection.open(used::add);
    attempts.get(0).complete(opened);
    connection.drop();
    connection.open(used::add);
    attempts.get(1).complete(new Opened());
    assertThat(timeToClose()).isGreaterThanOrEqualTo(Connections.PATIENCE_ON_CLOSING);
  }

  private Duration timeToClose() {
    long before = System.nanoTime();
    connection.close();
    return Duration.ofNanos(System.nanoTime() - before);
  }

  @Test
  void nothingIsOpenedAfterClosing() {
    connection.close();
    connection.open(used::add);
    assertThat(attempts).isEmpty();
  }

  @Test
  void whatFailedOrWasDroppedIsTriedAgain() {
    connection.open(used::add);
    attempts.get(0).completeExceptionally(new IllegalStateException());
    connection.open(used::add);
    attempts.get(1).complete(opened);
    connection.drop();
    assertThat(opened.timesClosed).isEqualTo(1);
    connection.open(used::add);
    Opened another = new Opened();
    attempts.get(2).complete(another);
    assertThat(connection.get()).isSameAs(another);
    assertThat(used).containsExactly(opened, another);
  }

  @Test
  void anAttemptThatDoesNotEvenBeginIsTriedAgain() {
    List<String> tries = new ArrayList<>();
    LateConnection<Opened> refused =
        new LateConnection<>(
            () -> {
              tries.add("again");
              throw new IllegalStateException();
            });
    refused.open(used::add);
    refused.open(used::add);
    assertThat(tries).hasSize(2);
    assertThat(used).isEmpty();
  }
}
