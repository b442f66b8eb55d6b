package io.syncguard.memory;

import java.util.concurrent.CompletionStage;

/** The answers of a store that answers at once. */
final class Answer {

  private Answer() {}

  static <T> T of(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }
}
