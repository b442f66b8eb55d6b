package io.syncguard.testkit.process;

import io.syncguard.spi.OperationExecutor;
import java.util.function.UnaryOperator;

/** Leaves a store as it is. */
final class Undecorated implements UnaryOperator<OperationExecutor> {

  @Override
  public OperationExecutor apply(OperationExecutor store) {
    return store;
  }
}
