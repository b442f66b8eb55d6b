package io.syncguard.cli.hold;

import io.syncguard.semaphore.Permit;
import java.time.Duration;
import java.util.Map;

/** A permit that is kept alive for as long as a command runs. */
public final class HeldPermit implements Hold {

  private final Permit permit;

  public HeldPermit(Permit permit) {
    this.permit = permit;
  }

  @Override
  public Map<String, String> environment() {
    return Map.of();
  }

  @Override
  public void onLost(Runnable listener) {
    permit.onLost(listener);
  }

  @Override
  public boolean end(Duration atLeast) {
    return permit.release().isReleased();
  }
}
