package io.syncguard.internal.hold;

import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Answers releases, fails them or hangs, as it is told. */
final class AskedStore implements Releases.Operation<String, String> {

  final List<String> asked = new ArrayList<>();
  final List<String> held = new ArrayList<>();
  final List<CompletableFuture<String>> unanswered = new ArrayList<>();
  Duration slowest = Duration.ZERO;
  boolean failing;
  boolean hanging;
  boolean error;
  boolean sawInterrupt;

  void answerAll() {
    List.copyOf(unanswered).forEach(answer -> answer.complete("absent"));
  }

  @Override
  public String release(String released, Duration timeout) {
    asked.add(released);
    if (failing || timeout.compareTo(slowest) < 0) {
      throw new SyncGuardException(Code.SERVICE_UNAVAILABLE, "Refused by the test");
    }
    return held.remove(released) ? "released" : "absent";
  }

  @Override
  public CompletionStage<String> releaseAsync(String released, Duration timeout) {
    sawInterrupt |= Thread.interrupted();
    if (error) {
      throw new OutOfMemoryError("thrown by the test");
    }
    if (hanging) {
      asked.add(released);
      unanswered.add(new CompletableFuture<>());
      return unanswered.get(unanswered.size() - 1);
    }
    try {
      return CompletableFuture.completedFuture(release(released, timeout));
    } catch (SyncGuardException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public Subject subject(String released) {
    return Subject.ofLock(released, null);
  }

  @Override
  public boolean isAbsent(String answer) {
    return answer.equals("absent");
  }

  @Override
  public String settled(String released, String answer, boolean inDoubt) {
    return answer;
  }
}
