package io.syncguard.redis;

import io.syncguard.CancelSignal;
import io.syncguard.spi.PermitReference;
import io.syncguard.spi.PermitRequest;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/**
 * Has waiters hold the slots that scripts tell them of, and confirms these meanwhile. None but our
 * scripts tell of a slot in this way, and they do it in the same step as the grant; so a waiter may
 * rely on it for as long as a grant is kept that nobody has confirmed. Thread-safe.
 */
final class NoticedGrants {

  private final Connections connections;
  private final SemaphoreLayout layout;
  private final ScriptRunner runner;
  private final Heirs heirs;
  private final GrantListener listener;
  private final GrantNotices notices;

  NoticedGrants(
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
    this.notices = new GrantNotices(connections, layout.channel(), this::granted, heirs::lookAll);
  }

  /**
   * Sees to it that somebody in the queue is told of a grant.
   *
   * @param isNew whether it has just come
   */
  void await(PermitReference waiter, boolean isNew) {
    notices.start();
    if (notices.isOn() && isNew) {
      listener.listenSoon(waiter);
    } else {
      listener.listen(waiter);
    }
  }

  private void granted(String member) {
    Heir waiter = layout.idOf(member).map(heirs::of).orElse(null);
    if (waiter == null) {
      return;
    }
    OptionalLong endsAt = waiter.restsOnGrant();
    if (endsAt.isEmpty()) {
      waiter.look();
      return;
    }
    if (!waiter.prepare()) {
      return;
    }
    long askedAt = System.nanoTime();
    CompletionStage<Boolean> confirmed = confirm(waiter);
    if (confirmed.toCompletableFuture().isCompletedExceptionally()) {
      waiter.doesNotBegin();
      waiter.look();
    } else {
      waiter.begin(askedAt, endsAt.getAsLong(), confirmed);
      listener.leave(waiter.request().permit());
    }
  }

  private CompletionStage<Boolean> confirm(Heir waiter) {
    PermitRequest request = waiter.request();
    return runner.run(
        connections.commands(),
        new ScriptRunner.Call(
            Script.SEMAPHORE_CONFIRM,
            layout.keys(request.permit().name()),
            layout.arguments(request)),
        answer -> {
          boolean held = answer instanceof List<?>;
          if (held) {
            waiter.confirmed();
          }
          return held;
        },
        request.permit().context(),
        CancelSignal.never());
  }

  void close() {
    notices.close();
  }
}
