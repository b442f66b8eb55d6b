package io.syncguard.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import io.syncguard.spi.lock.LockCapabilities;
import io.syncguard.spi.lock.LockCapabilities.TimeAuthority;
import io.syncguard.testkit.LockContract;
import io.syncguard.testkit.StoreFixture;
import org.junit.jupiter.api.Test;

/** The contract on the emulator; on one of your own if {@code FIRESTORE_EMULATOR_HOST} is set. */
class FirestoreLockContractTest extends LockContract {

  private FirestoreFixture fixture;

  @Override
  protected StoreFixture openFixture() {
    fixture = new FirestoreFixture();
    return fixture;
  }

  @Override
  @Test
  public void aWaiterTakesTheLockWhenItsHolderNeverComesBack() {
    fixture.clock().flow();
    try {
      super.aWaiterTakesTheLockWhenItsHolderNeverComesBack();
    } finally {
      fixture.clock().stop();
    }
  }

  @Override
  public int acquisitionsInARow() {
    return 40;
  }

  @Override
  public int turnsOfAWorker() {
    return 4;
  }

  @Override
  public int manyWaiters() {
    return 40;
  }

  @Test
  void itSaysWhichStoreItIsAndWhoseClockDecides() {
    assertThat(locks().capabilities())
        .isEqualTo(new LockCapabilities("firestore", true, TimeAuthority.CLIENT));
  }
}
