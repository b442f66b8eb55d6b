package io.syncguard.redis.semaphore;

import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.Call;
import io.syncguard.spi.semaphore.PermitAttempt;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gives up slots and places in the queue, to an heir of this process where there is one. */
final class SlotReleases {

  private final SemaphoreLayout layout;
  private final ScriptRunner runner;
  private final Heirs heirs;
  private final GrantListener listener;

  SlotReleases(SemaphoreLayout layout, ScriptRunner runner, Heirs heirs, GrantListener listener) {
    this.layout = layout;
    this.runner = runner;
    this.heirs = heirs;
    this.listener = listener;
  }

  CompletionStage<PermitReleaseResult> release(PermitReference permit, Call call) {
    Heirs.Beginning begun = heirs.begunFor(permit);
    if (begun != null) {
      return releaseAfter(begun, permit, call);
    }
    Line.Succession next = heirs.next(permit);
    if (next == null) {
      return send(permit, call, List.of(), answer -> released(permit, answer));
    }
    return next.endsAt().isPresent()
        ? handOn(next.heir(), next.endsAt().getAsLong(), permit, call)
        : releaseTo(next.heir(), permit, call);
  }

  private CompletionStage<PermitReleaseResult> handOn(
      Heir heir, long endsAt, PermitReference permit, Call call) {
    if (!heir.prepare()) {
      return releaseTo(heir, permit, call);
    }
    Heirs.Beginning beginning = new Heirs.Beginning(heir, endsAt, new CompletableFuture<>());
    long askedAt = System.nanoTime();
    heirs.begins(beginning, permit);
    CompletionStage<PermitReleaseResult> sent = releaseAfter(beginning, permit, call);
    if (sent.toCompletableFuture().isCompletedExceptionally()) {
      heirs.forgetBeginning(permit);
      heir.doesNotBegin();
    } else {
      heir.begin(askedAt, endsAt, beginning.confirmed());
    }
    return sent;
  }

  /** The heir's time begins with this release: it cannot have had the slot before. */
  private CompletionStage<PermitReleaseResult> releaseTo(
      Heir heir, PermitReference permit, Call call) {
    long askedAt = System.nanoTime();
    return send(
            permit,
            call,
            arguments(heir.request()),
            answer -> {
              Optional<PermitAttempt.Held> inheritance = SemaphoreAnswers.inheritance(answer);
              if (inheritance.isPresent()) {
                heir.served();
                heirs.limitIsKnown(permit.name());
                listener.leave(heir.reference());
                heir.inherit(inheritance.get(), askedAt);
              } else {
                heir.standInLine();
              }
              return released(permit, answer);
            })
        .whenComplete(
            (result, failure) -> {
              if (failure != null) {
                heir.standInLine();
              }
            });
  }

  /**
   * Tells Redis which heir has begun in the place of the permit. Must be repeated until Redis
   * answers: the slot is not free.
   */
  private CompletionStage<PermitReleaseResult> releaseAfter(
      Heirs.Beginning begun, PermitReference permit, Call call) {
    Heir heir = begun.heir();
    List<String> arguments = arguments(heir.request());
    arguments.add("1");
    return send(
        permit,
        call,
        arguments,
        answer -> {
          heirs.forgetBeginning(permit);
          if (SemaphoreAnswers.inheritance(answer).isPresent()) {
            heir.confirmed();
            begun.confirmed().complete(true);
          }
          listener.leave(heir.reference());
          if (SemaphoreAnswers.limitChanged(answer)) {
            heirs.limitChanged(permit.name());
          }
          return released(permit, answer);
        });
  }

  private PermitReleaseResult released(PermitReference permit, @Nullable Object answer) {
    listener.leave(permit);
    return SemaphoreAnswers.released(answer);
  }

  private List<String> arguments(SemaphoreOperation.Acquire heir) {
    List<String> arguments = new ArrayList<>();
    arguments.add(layout.member(heir.permit().id()));
    arguments.add(Long.toString(heir.heartbeatTimeout().toMillis()));
    arguments.add(Long.toString(heir.ttl().toMillis()));
    return arguments;
  }

  private CompletionStage<PermitReleaseResult> send(
      PermitReference permit,
      Call call,
      List<String> heir,
      Function<@Nullable Object, PermitReleaseResult> reading) {
    List<String> arguments = new ArrayList<>();
    arguments.add(layout.member(permit.id()));
    arguments.addAll(heir);
    return runner.run(
        new ScriptCall(RedisScript.SEMAPHORE_RELEASE, layout.keys(permit.name()), arguments),
        reading,
        permit.subject(),
        call);
  }
}
