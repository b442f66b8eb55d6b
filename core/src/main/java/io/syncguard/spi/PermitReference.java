package io.syncguard.spi;

import io.syncguard.SyncGuardException;

/**
 * A permit of a semaphore, waiting or holding a slot.
 *
 * @param name the semaphore's name
 * @param id the permit's id
 */
public record PermitReference(ResourceKey name, PermitId id) {

  /** Returns what an exception about this permit carries. */
  public SyncGuardException.Context context() {
    return SyncGuardException.Context.ofBearer(name.value(), id.value());
  }
}
