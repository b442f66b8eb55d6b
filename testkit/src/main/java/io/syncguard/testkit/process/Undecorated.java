package io.syncguard.testkit.process;

import io.syncguard.spi.LockBackend;
import java.util.function.UnaryOperator;

/** Leaves a backend as it is. */
final class Undecorated implements UnaryOperator<LockBackend> {

  @Override
  public LockBackend apply(LockBackend backend) {
    return backend;
  }
}
