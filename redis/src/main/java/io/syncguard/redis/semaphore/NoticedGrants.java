package io.syncguard.redis.semaphore;

import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.spi.Call;
import io.syncguard.spi.TimeSource;
import io.syncguard.spi.semaphore.PermitReference;
import io.syncguard.spi.semaphore.SemaphoreOperation;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has waiters hold the slots that scripts tell them of. Only this store's scripts tell of a slot in
 * this way, and they do it in the same step as the grant; so a waiter may rely on it for as long as
 * an unconfirmed grant is kept. It is confirmed a little later, as there is nothing to confirm if
 * it has been released by then. Thread-safe.
 */
final class NoticedGrants {

  private static final Duration LITTLE_LATER = Duration.ofMillis(10);

  /** A grant that is not confirmed at once must last for this many times as long. */
  private static final int SHARE_OF_GRANT = 100;

  /**
   * A slot that is held and not confirmed yet.
   *
   * @param since when its holder was told of it, in nanoseconds
   */
  private record Unconfirmed(Heir holder, long since, CompletableFuture<Boolean> confirmed) {

    boolean isNew() {
      return System.nanoTime() - since < LITTLE_LATER.toNanos();
    }
  }

  private final SemaphoreLayout layout;
  private final ScriptRunner runner;
  private final Heirs heirs;
  private final GrantListener listener;
  private final GrantNotices notices;
  private final ConcurrentLinkedQueue<Unconfirmed> unconfirmed = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean timed = new AtomicBoolean();

  NoticedGrants(
      Connections connections,
      SemaphoreLayout layout,
      ScriptRunner runner,
      Heirs heirs,
      GrantListener listener) {
    this.layout = layout;
    this.runner = runner;
    this.heirs = heirs;
    this.listener = listener;
    this.notices = new GrantNotices(connections, layout.channel(), this::granted, heirs::lookAll);
  }

  /**
   * Sees to it that a waiter in the queue is told of a grant.
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
    if (!waiter.prepareOnGrant()) {
      return;
    }
    long now = System.nanoTime();
    Unconfirmed held = new Unconfirmed(waiter, now, new CompletableFuture<>());
    waiter.begin(now, endsAt.getAsLong(), held.confirmed());
    listener.leave(waiter.request().permit());
    if (endsAt.getAsLong() - now > LITTLE_LATER.toNanos() * SHARE_OF_GRANT) {
      unconfirmed.add(held);
      confirmLater();
    } else {
      confirm(held);
    }
  }

  private void confirmLater() {
    if (timed.compareAndSet(false, true)) {
      TimeSource.system().schedule(this::confirmThoseStillHeld, LITTLE_LATER);
    }
  }

  private void confirmThoseStillHeld() {
    timed.set(false);
    Unconfirmed first = unconfirmed.peek();
    while (first != null && !(first.isNew() && first.holder().holds())) {
      if (unconfirmed.remove(first) && first.holder().holds()) {
        confirm(first);
      }
      first = unconfirmed.peek();
    }
    if (first != null) {
      confirmLater();
    }
  }

  private void confirm(Unconfirmed held) {
    ask(held.holder())
        .whenComplete(
            (confirmed, failure) -> {
              if (failure == null) {
                held.confirmed().complete(confirmed);
              } else {
                held.confirmed().completeExceptionally(failure);
              }
            });
  }

  private CompletionStage<Boolean> ask(Heir waiter) {
    SemaphoreOperation.Acquire request = waiter.request();
    return runner.run(
        new ScriptCall(
            RedisScript.SEMAPHORE_CONFIRM,
            layout.keys(request.permit().name()),
            layout.arguments(request)),
        answer -> {
          boolean held = answer instanceof List<?>;
          if (held) {
            waiter.confirmed();
          }
          return held;
        },
        request.subject(),
        Call.plain());
  }

  void close() {
    notices.close();
  }
}
