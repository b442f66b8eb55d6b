package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.semaphore.PermitReleaseResult;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Gives up slots and places in the queue, to an heir of this process where there is one. */
final class SlotReleases {

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final ScriptRunner runner;
  private final Heirs heirs;
  private final GrantListener listener;

  SlotReleases(
      Connections connections,
      SemaphoreLayout layout,
      ScriptRunner runner,
      Heirs heirs,
      GrantListener listener) {
    this.connections = connections;
    this.layout = layout;
    this.runner = runner;
    this.heirs = heirs;
    this.listener = listener;
  }

  CompletionStage<PermitReleaseResult> release(PermitReference permit, Duration timeout) {
    Heirs.Beginning begun = heirs.begunFor(permit);
    if (begun != null) {
      return releaseAfter(begun, permit, timeout);
    }
    Line.Succession next = heirs.next(permit);
    if (next == null) {
      return send(permit, timeout, List.of(), answer -> released(permit, answer));
    }
    return next.endsAt().isPresent()
        ? handOn(next.heir(), next.endsAt().getAsLong(), permit, timeout)
        : releaseTo(next.heir(), permit, timeout);
  }

  private CompletionStage<PermitReleaseResult> handOn(
      Heir heir, long endsAt, PermitReference permit, Duration timeout) {
    if (!heir.prepare()) {
      return releaseTo(heir, permit, timeout);
    }
    Heirs.Beginning beginning = new Heirs.Beginning(heir, endsAt, new CompletableFuture<>());
    long askedAt = System.nanoTime();
    heirs.begins(beginning, permit);
    CompletionStage<PermitReleaseResult> sent = releaseAfter(beginning, permit, timeout);
    if (sent.toCompletableFuture().isCompletedExceptionally()) {
      heirs.forgetBeginning(permit);
      heir.doesNotBegin();
    } else {
      heir.begin(askedAt, endsAt, beginning.confirmed());
    }
    return sent;
  }

  /** The heir's time begins with this request: it cannot have had the slot before. */
  private CompletionStage<PermitReleaseResult> releaseTo(
      Heir heir, PermitReference permit, Duration timeout) {
    long askedAt = System.nanoTime();
    return send(
            permit,
            timeout,
            arguments(heir.request()),
            answer -> {
              Optional<PermitAttempt.Held> inheritance = SemaphoreAnswers.inheritance(answer);
              if (inheritance.isPresent()) {
                heir.served();
                heirs.limitIsKnown(permit.name());
                listener.leave(heir.request().permit());
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
   * Tells Redis who has begun in the place of the permit. Must be repeated until Redis answers: the
   * slot is not free.
   */
  private CompletionStage<PermitReleaseResult> releaseAfter(
      Heirs.Beginning begun, PermitReference permit, Duration timeout) {
    PermitRequest heir = begun.heir().request();
    List<String> arguments = arguments(heir);
    arguments.add("1");
    return send(
        permit,
        timeout,
        arguments,
        answer -> {
          heirs.forgetBeginning(permit);
          if (SemaphoreAnswers.inheritance(answer).isPresent()) {
            begun.heir().confirmed();
            begun.confirmed().complete(true);
          }
          listener.leave(heir.permit());
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

  private List<String> arguments(PermitRequest heir) {
    List<String> arguments = new ArrayList<>();
    arguments.add(layout.member(heir.permit().id()));
    arguments.add(Long.toString(heir.heartbeatTimeout().toMillis()));
    arguments.add(Long.toString(heir.ttl().toMillis()));
    return arguments;
  }

  private CompletionStage<PermitReleaseResult> send(
      PermitReference permit,
      Duration timeout,
      List<String> heir,
      Function<@Nullable Object, PermitReleaseResult> reading) {
    List<String> arguments = new ArrayList<>();
    arguments.add(layout.member(permit.id()));
    arguments.addAll(heir);
    return runner.runWithin(
        timeout,
        connections.commands(),
        new ScriptRunner.Call(Script.SEMAPHORE_RELEASE, layout.keys(permit.name()), arguments),
        reading,
        permit.context(),
        CancelSignal.never());
  }
}
