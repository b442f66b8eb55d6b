package io.syncguard.internal;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that is made when it is first asked for, once, unless making it fails. */
public final class Lazy<T> {

  private final Supplier<T> making;
  private volatile @Nullable T made;

  /** Makes it by this. */
  public Lazy(Supplier<T> making) {
    this.making = making;
  }

  /** Returns it; fails if it cannot be made. */
  public T get() {
    T present = made;
    return present == null ? make() : present;
  }

  private synchronized T make() {
    T present = made;
    if (present == null) {
      present = making.get();
      made = present;
    }
    return present;
  }

  /** Does this with it, if it was ever asked for. */
  public synchronized void ifPresent(Consumer<T> action) {
    T present = made;
    if (present != null) {
      action.accept(present);
    }
  }
}
