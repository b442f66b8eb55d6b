package io.syncguard.spi;

import java.time.Duration;
import java.util.List;

/**
 * A sign of life for some of a client's permits of one name, waiting and holding ones alike.
 *
 * @param name the semaphore's name
 * @param permits who is alive; at most {@link #MOST_PERMITS}
 * @param timeout how long from now they count as alive
 */
public record Heartbeat(ResourceKey name, List<PermitId> permits, Duration timeout) {

  /** How many permits one heartbeat covers, so that a store is not busy with one for too long. */
  public static final int MOST_PERMITS = 500;

  /** Keeps a copy of the list. */
  public Heartbeat {
    permits = List.copyOf(permits);
  }
}
