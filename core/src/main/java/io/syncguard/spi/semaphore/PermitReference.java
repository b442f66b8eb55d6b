package io.syncguard.spi.semaphore;

import io.syncguard.Subject;
import io.syncguard.spi.ResourceKey;

/**
 * A permit of a semaphore, waiting or holding a slot.
 *
 * @param name the semaphore's name
 * @param id the permit's id
 */
public record PermitReference(ResourceKey name, PermitId id) {

  /** Returns this permit as what something is about. */
  public Subject subject() {
    return Subject.ofSemaphore(name.value(), id.value());
  }
}
