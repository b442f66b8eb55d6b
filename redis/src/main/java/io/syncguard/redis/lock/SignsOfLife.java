package io.syncguard.redis.lock;

import io.syncguard.redis.connection.Connections;
import io.syncguard.redis.script.RedisScript;
import io.syncguard.redis.script.ScriptCall;
import io.syncguard.redis.script.ScriptRunner;
import io.syncguard.spi.Call;
import io.syncguard.spi.lock.LockOperation;
import io.syncguard.spi.lock.LockReference;
import io.syncguard.spi.lock.PlaceState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;

/**
 * Shows that this process lives, and asks which of its waiters still wait: one script for all whose
 * keys are in one slot, so on a single server one for all. Thread-safe.
 */
final class SignsOfLife {

  private static final char FIRST = 'F';
  private static final char WAITS = 'W';
  private static final String MORE = "+";

  private final KeyLayout layout;
  private final ScriptRunner runner;
  private final ProcessMark mark;
  private final LockWaiters waiters;

  SignsOfLife(KeyLayout layout, ScriptRunner runner, ProcessMark mark, LockWaiters waiters) {
    this.layout = layout;
    this.runner = runner;
    this.mark = mark;
    this.waiters = waiters;
  }

  CompletionStage<List<PlaceState>> give(LockOperation.KeepWaiting sign, Call call) {
    List<LockReference> asked = sign.waiters();
    Map<String, List<Integer>> bySlot = new LinkedHashMap<>();
    for (int i = 0; i < asked.size(); i++) {
      String slot = names(asked.get(i)).indexPrefix();
      bySlot.computeIfAbsent(slot, prefix -> new ArrayList<>()).add(i);
    }
    PlaceState[] states = new PlaceState[asked.size()];
    List<CompletableFuture<Void>> answers = new ArrayList<>();
    bySlot.forEach(
        (slot, places) -> {
          List<LockReference> there = places.stream().map(asked::get).toList();
          answers.add(
              ask(slot, there, sign, call)
                  .thenAccept(
                      found ->
                          IntStream.range(0, places.size())
                              .forEach(i -> states[places.get(i)] = found.get(i)))
                  .toCompletableFuture());
        });
    return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
        .thenApply(all -> List.of(states));
  }

  private CompletionStage<List<PlaceState>> ask(
      String indexPrefix, List<LockReference> asked, LockOperation.KeepWaiting sign, Call call) {
    List<String> keys = new ArrayList<>(asked.size() + 1);
    List<String> arguments = new ArrayList<>(asked.size() + 1);
    keys.add(mark.aliveKey(indexPrefix));
    arguments.add(mark.text());
    for (LockReference waiter : asked) {
      keys.add(names(waiter).lockKey());
      arguments.add(waiter.lockId().value());
    }
    return runner.run(
        new ScriptCall(RedisScript.KEEP_WAITING, keys, arguments),
        answer -> {
          String letters = String.valueOf(answer);
          if (letters.endsWith(MORE)) {
            // Redis serves others in between.
            Connections.letEnd(ask(indexPrefix, asked, sign, Call.plain()));
          }
          return IntStream.range(0, asked.size())
              .mapToObj(i -> state(asked.get(i), letters.charAt(i)))
              .toList();
        },
        sign.subject(),
        call);
  }

  private PlaceState state(LockReference waiter, char letter) {
    if (letter == FIRST) {
      waiters.isFirst(waiter.lockId());
    }
    return letter == FIRST || letter == WAITS ? PlaceState.WAITING : PlaceState.GONE;
  }

  private KeyLayout.Names names(LockReference waiter) {
    return layout.names(Objects.requireNonNull(waiter.key()));
  }
}
