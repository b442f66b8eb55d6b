package io.syncguard.semaphore;

import io.syncguard.spi.LockBackend;
import io.syncguard.spi.PermitAttempt;
import io.syncguard.spi.PermitRequest;
import io.syncguard.spi.SemaphoreBackend;
import io.syncguard.spi.Store;
import io.syncguard.spi.StoreProvider;
import io.syncguard.spi.TimeSource;
import java.lang.reflect.Proxy;
import java.util.function.Function;

/** A store in memory whose attempts to get a slot are answered by a test. */
final class AnsweringStore implements Store {

  private final Store memory = StoreProvider.openStore("memory:", TimeSource.system());
  private final SemaphoreBackend semaphores;

  AnsweringStore(Function<PermitRequest, PermitAttempt> answer) {
    SemaphoreBackend real = memory.semaphores();
    this.semaphores =
        (SemaphoreBackend)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {SemaphoreBackend.class},
                (proxy, method, arguments) ->
                    method.getName().equals("acquire")
                        ? answer.apply((PermitRequest) arguments[0])
                        : method.invoke(real, arguments));
  }

  @Override
  public LockBackend locks() {
    return memory.locks();
  }

  @Override
  public SemaphoreBackend semaphores() {
    return semaphores;
  }

  @Override
  public void close() {
    memory.close();
  }
}
