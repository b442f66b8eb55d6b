package io.syncguard.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;

/**
 * Google's Firestore emulator, one for all tests of this JVM. Thread-safe; closed when the JVM
 * ends.
 */
public final class FirestoreEmulator implements AutoCloseable {

  /** The environment variable that holds host and port of an emulator of one's own. */
  public static final String OWN_EMULATOR = "FIRESTORE_EMULATOR_HOST";

  private static final String MAIN_CLASS =
      "com.google.cloud.datastore.emulator.firestore.CloudFirestore";
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final int ANSWER_LIMIT_MS = 5_000;

  private static final String HOW_TO_GET_ONE =
      "there is no Firestore emulator. Either install one with 'gcloud components install"
          + " cloud-firestore-emulator' and have gcloud on the PATH, or start one with 'gcloud"
          + " emulators firestore start --host-port=localhost:8080' and set "
          + OWN_EMULATOR
          + "=localhost:8080";

  private static @Nullable FirestoreEmulator shared;
  private static boolean skipped;

  private final String hostAndPort;
  private final DataDirectory directory;
  private @Nullable ServerProcess process;

  private FirestoreEmulator(String hostAndPort, DataDirectory directory) {
    this.hostAndPort = hostAndPort;
    this.directory = directory;
  }

  /**
   * Blocks until an emulator answers: the one in {@value #OWN_EMULATOR}, or else one that is
   * started from an installed Google Cloud SDK and serves all tests of this JVM. Without either the
   * test that asks is skipped, with a message that says how to get one.
   *
   * @return its host and port
   */
  public static synchronized String hostAndPort() {
    @Nullable String own = System.getenv(OWN_EMULATOR);
    if (own != null) {
      return own;
    }
    FirestoreEmulator running = shared;
    if (running == null) {
      running = start(GoogleCloudSdk.firestoreEmulator().orElseGet(FirestoreEmulator::skip));
      shared = running;
    }
    return running.hostAndPort;
  }

  /** Returns at once the id of a project that no other test uses; it need not be set up. */
  public static String newProject() {
    return "demo-" + UUID.randomUUID();
  }

  /** Says it on the console too, where a build shows only how many tests were skipped. */
  private static Path skip() {
    if (!skipped) {
      System.err.println("Firestore's tests are skipped: " + HOW_TO_GET_ONE);
      skipped = true;
    }
    return Assumptions.abort(HOW_TO_GET_ONE);
  }

  private static FirestoreEmulator start(Path jar) {
    int port = FreePorts.next();
    FirestoreEmulator emulator =
        new FirestoreEmulator("127.0.0.1:" + port, DataDirectory.create("firestore"));
    LiveServers.add(emulator);
    emulator.launch(jar, port);
    return emulator;
  }

  private void launch(Path jar, int port) {
    ServerProcess launched =
        ServerProcess.launch(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Duser.language=en",
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                jar.toString(),
                MAIN_CLASS,
                "start",
                "--host=127.0.0.1",
                "--port=" + port),
            directory.log().toFile());
    process = launched;
    try {
      Await.until("an answer from " + hostAndPort, START_LIMIT, () -> answers(launched));
    } catch (IllegalStateException e) {
      throw new IllegalStateException(
          "The Firestore emulator does not start; its log ends:\n" + directory.logTail(), e);
    }
  }

  private boolean answers(ServerProcess launched) throws IOException {
    if (!launched.isAlive()) {
      throw new IllegalStateException("The Firestore emulator has ended by itself");
    }
    URLConnection connection = URI.create("http://" + hostAndPort + "/").toURL().openConnection();
    connection.setConnectTimeout(ANSWER_LIMIT_MS);
    connection.setReadTimeout(ANSWER_LIMIT_MS);
    try (InputStream answer = connection.getInputStream()) {
      return answer.read() >= 0;
    }
  }

  /** Blocks until the emulator is dead and its data is gone. */
  @Override
  public synchronized void close() {
    ServerProcess running = process;
    if (running != null) {
      running.kill();
    }
    directory.delete();
    LiveServers.remove(this);
  }

  @Override
  public String toString() {
    return "Firestore emulator on " + hostAndPort;
  }
}
