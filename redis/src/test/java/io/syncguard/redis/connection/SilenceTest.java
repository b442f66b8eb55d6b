package io.syncguard.redis.connection;

import static io.syncguard.testkit.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.RedisCommandExecutionException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SilenceTest {

  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final AtomicInteger left = new AtomicInteger();
  private final CompletableFuture<String> pong = new CompletableFuture<>();
  private final Silence silence = new Silence("Redis", Duration.ofMillis(100), open);

  private void doubt() {
    silence.doubt(
        () -> {
          asked.incrementAndGet();
          return pong;
        },
        left::incrementAndGet);
  }

  private void untilSettled() throws InterruptedException {
    eventually(() -> assertThat(open).hasValue(0));
  }

  @Test
  void aServerThatIsSilentIsAskedOnceAndLeft() throws Exception {
    doubt();
    doubt();
    eventually(() -> assertThat(left).hasValue(1));
    assertThat(asked).hasValue(1);
    doubt();
    eventually(() -> assertThat(left).hasValue(2));
  }

  @Test
  void anAnswerToAnotherCommandIsAnAnswer() throws Exception {
    doubt();
    silence.heard();
    untilSettled();
    assertThat(left).hasValue(0);
    doubt();
    eventually(() -> assertThat(left).hasValue(1));
  }

  @Test
  void aRefusalIsAnAnswer() throws Exception {
    doubt();
    pong.completeExceptionally(new RedisCommandExecutionException("NOPERM"));
    untilSettled();
    assertThat(left).hasValue(0);
  }
}
