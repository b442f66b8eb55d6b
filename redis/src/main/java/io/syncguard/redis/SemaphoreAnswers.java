package io.syncguard.redis;

import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.semaphore.SemaphoreStats;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitState;
import io.syncguard.spi.ResourceKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What the semaphores' scripts answer, as their headers say it. */
final class SemaphoreAnswers {

  private SemaphoreAnswers() {}

  static PermitAttempt attempt(@Nullable Object answer) {
    if (answer instanceof Long expiresAtMs) {
      return new PermitAttempt.Held(1, Instant.ofEpochMilli(expiresAtMs));
    }
    List<String> fields = list(answer);
    return switch (fields.get(0)) {
      case "held" -> held(fields);
      case "waiting" -> new PermitAttempt.Waiting(Long.parseLong(fields.get(1)));
      case "busy" -> new PermitAttempt.Busy();
      case "limit" -> new PermitAttempt.LimitDiffers(Integer.parseInt(fields.get(1)));
      default -> throw new IllegalStateException("A script answered something unknown");
    };
  }

  private static PermitAttempt.Held held(List<String> fields) {
    return new PermitAttempt.Held(
        Integer.parseInt(fields.get(1)), Instant.ofEpochMilli(Long.parseLong(fields.get(2))));
  }

  /** Returns what a release gave to an heir; empty if that one was not the next. */
  static Optional<PermitAttempt.Held> inheritance(@Nullable Object answer) {
    return answer instanceof List<?> ? Optional.of(held(list(answer))) : Optional.empty();
  }

  static PermitReleaseResult released(@Nullable Object answer) {
    if (answer instanceof List<?>) {
      return PermitReleaseResult.RELEASED;
    }
    return switch (String.valueOf(answer)) {
      case "1" -> PermitReleaseResult.RELEASED;
      case "2" -> PermitReleaseResult.LEFT_QUEUE;
      default -> PermitReleaseResult.NOT_FOUND;
    };
  }

  static List<PermitState> states(@Nullable Object answer) {
    return String.valueOf(answer).chars().mapToObj(SemaphoreAnswers::state).toList();
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
    List<String> fields = list(answer);
    return Optional.of(
        new SemaphoreStats(
            name.value(),
            Integer.parseInt(fields.get(0)),
            Integer.parseInt(fields.get(1)),
            Integer.parseInt(fields.get(2)),
            Duration.ofMillis(Long.parseLong(fields.get(3)))));
  }

  private static List<String> list(@Nullable Object answer) {
    if (answer instanceof List<?> fields) {
      return fields.stream().map(String::valueOf).toList();
    }
    throw new IllegalStateException("A script answered something else than a list");
  }
}
