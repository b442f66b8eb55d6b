package io.syncguard.firestore;

import com.google.cloud.firestore.Firestore;
import io.syncguard.test.MovableTime;
import io.syncguard.testkit.StoreFixture;
import io.syncguard.testkit.server.FirestoreEmulator;
import java.time.Duration;

/** A new project on the emulator. The client's clock decides, so that it can be moved. */
final class FirestoreFixture implements StoreFixture {

  /** Long enough for a machine that is busy with other things. */
  static final FirestoreStoreOptions PATIENT =
      FirestoreStoreOptions.defaults().withTimeout(Duration.ofSeconds(30));

  private final OwnClient client;
  private final MovableTime time = MovableTime.flowing();
  private final StillClock clock = new StillClock();

  FirestoreFixture() {
    this.client = OwnClient.open(FirestoreUri.parse(newProjectUri(), PATIENT));
  }

  static String newProjectUri() {
    return newProjectUri(FirestoreEmulator.hostAndPort());
  }

  static String newProjectUri(String hostAndPort) {
    return "firestore://" + FirestoreEmulator.newProject() + "?emulator=" + hostAndPort;
  }

  /** Returns the client that all stores share, to look at the documents from outside. */
  Firestore firestore() {
    return client.firestore();
  }

  @Override
  public FirestoreStore openClient() {
    return FirestoreStore.over(client.firestore(), PATIENT, clock);
  }

  @Override
  public MovableTime time() {
    return time;
  }

  StillClock clock() {
    return clock;
  }

  @Override
  public void passTime(Duration duration) {
    clock.advance(duration);
    time.advance(duration);
  }

  @Override
  public void close() {
    client.close();
  }
}
