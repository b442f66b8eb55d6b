package io.syncguard.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Polls until an answer is there or a deadline passes. */
final class Await {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  /** A question to a server; failing to reach it, or an error reply, means "not yet". */
  @FunctionalInterface
  interface Question<T> {
    T ask() throws IOException;
  }

  private final String what;
  private final Duration limit;
  private @Nullable Exception lastFailure;

  private Await(String what, Duration limit) {
    this.what = what;
    this.limit = limit;
  }

  static void until(String what, Duration limit, Question<Boolean> condition) {
    untilPresent(what, limit, presentIf(condition));
  }

  static <T> T untilPresent(String what, Duration limit, Question<Optional<T>> question) {
    Await await = new Await(what, limit);
    return await.poll(question).orElseThrow(await::timedOut);
  }

  /** Whether the condition holds before the limit has passed. */
  static boolean within(Duration limit, Question<Boolean> condition) {
    return new Await("a condition", limit).poll(presentIf(condition)).isPresent();
  }

  private <T> Optional<T> poll(Question<Optional<T>> question) {
    long deadline = System.nanoTime() + limit.toNanos();
    while (true) {
      Optional<T> answer = askOnce(question);
      if (answer.isPresent() || System.nanoTime() - deadline > 0) {
        return answer;
      }
      pauseBetweenPolls();
    }
  }

  private <T> Optional<T> askOnce(Question<Optional<T>> question) {
    lastFailure = null;
    try {
      return question.ask();
    } catch (IOException | UncheckedIOException | RedisErrorException notYet) {
      lastFailure = notYet;
      return Optional.empty();
    }
  }

  private static Question<Optional<Boolean>> presentIf(Question<Boolean> condition) {
    return () -> Optional.of(condition.ask()).filter(holds -> holds);
  }

  private IllegalStateException timedOut() {
    return new IllegalStateException(
        "Waited " + limit.toMillis() + " ms, but this is not so: " + what, lastFailure);
  }

  private void pauseBetweenPolls() {
    try {
      Thread.sleep(POLL_INTERVAL.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for: " + what, e);
    }
  }
}
