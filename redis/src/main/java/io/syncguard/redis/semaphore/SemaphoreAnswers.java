package io.syncguard.redis.semaphore;

import io.syncguard.redis.script.ScriptAnswer;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.ResourceKey;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the semaphores' scripts answer, as their headers say it. */
final class SemaphoreAnswers {

  private SemaphoreAnswers() {}

  /** Returns whether a script decided nothing, as there is more to settle than a step does. */
  static boolean isAgain(@Nullable Object answer) {
    return "again".equals(answer);
  }

  /** Returns whether a heartbeat left something to settle. */
  static boolean leftMore(@Nullable Object answer) {
    return String.valueOf(answer).endsWith("+");
  }

  static PermitAttempt attempt(@Nullable Object answer) {
    if (answer instanceof Long expiresAtMs) {
      return new PermitAttempt.Held(1, Instant.ofEpochMilli(expiresAtMs));
    }
    List<?> fields = ScriptAnswer.list(answer);
    if (fields.get(0) instanceof Long taken) {
      return taken == 0 ? new PermitAttempt.Waiting(number(fields, 1)) : held(fields);
    }
    return switch (String.valueOf(fields.get(0))) {
      case "busy" -> new PermitAttempt.Busy();
      case "limit" -> new PermitAttempt.LimitDiffers(Math.toIntExact(number(fields, 1)));
      default -> throw new IllegalStateException("A script answered something unknown");
    };
  }

  private static PermitAttempt.Held held(List<?> fields) {
    long ageMs = fields.size() > 2 ? Math.max(0, number(fields, 2)) : 0;
    return new PermitAttempt.Held(
        Math.toIntExact(number(fields, 0)),
        Instant.ofEpochMilli(number(fields, 1)),
        Duration.ofMillis(ageMs));
  }

  static PermitReleaseResult released(@Nullable Object answer) {
    Object result = answer instanceof List<?> fields ? fields.get(0) : answer;
    return switch (String.valueOf(result)) {
      case "1" -> PermitReleaseResult.RELEASED;
      case "2" -> PermitReleaseResult.LEFT_QUEUE;
      default -> PermitReleaseResult.NOT_FOUND;
    };
  }

  /** Returns what a release tells of grants to waiters of its own process. */
  static List<String> grants(@Nullable Object answer) {
    return answer instanceof List<?> fields
        ? fields.stream().skip(1).map(String::valueOf).toList()
        : List.of();
  }

  static PermitState confirmed(@Nullable Object answer) {
    return answer instanceof List<?> ? PermitState.HOLDING : PermitState.GONE;
  }

  static List<PermitState> states(@Nullable Object answer) {
    return String.valueOf(answer)
        .chars()
        .filter(letter -> letter != '+')
        .mapToObj(SemaphoreAnswers::state)
        .toList();
  }

  private static PermitState state(int letter) {
    return switch (letter) {
      case 'H' -> PermitState.HOLDING;
      case 'W' -> PermitState.WAITING;
      default -> PermitState.GONE;
    };
  }

  static Optional<SemaphoreStats> counted(ResourceKey name, @Nullable Object answer) {
    if (answer == null) {
      return Optional.empty();
    }
    List<?> fields = ScriptAnswer.list(answer);
    return Optional.of(
        new SemaphoreStats(
            name.value(),
            Math.toIntExact(number(fields, 0)),
            Math.toIntExact(number(fields, 1)),
            Math.toIntExact(number(fields, 2)),
            Duration.ofMillis(number(fields, 3))));
  }

  private static long number(List<?> fields, int index) {
    return ScriptAnswer.number(fields.get(index));
  }
}
