package io.syncguard.testkit.server;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what an installed Google Cloud SDK has. */
final class GoogleCloudSdk {
  private static final Path EMULATOR =
      Path.of("platform", "cloud-firestore-emulator", "cloud-firestore-emulator.jar");

  private GoogleCloudSdk() {}

  static Optional<Path> firestoreEmulator() {
    return Stream.of(named("CLOUDSDK_ROOT_DIR"), named("CLOUDSDK_ROOT"), onThePath(), atHome())
        .flatMap(roots -> roots)
        .map(root -> root.resolve(EMULATOR))
        .filter(Files::isRegularFile)
        .findFirst();
  }

  private static Stream<Path> named(String variable) {
    return Stream.ofNullable(System.getenv(variable)).map(Path::of);
  }

  private static Stream<Path> onThePath() {
    return Stream.ofNullable(System.getenv("PATH"))
        .flatMap(path -> Arrays.stream(path.split(File.pathSeparator)))
        .map(directory -> Path.of(directory, "gcloud"))
        .filter(Files::isExecutable)
        .map(GoogleCloudSdk::rootOf);
  }

  /** The command is in the SDK's {@code bin}, often behind a link. */
  private static Path rootOf(Path gcloud) {
    try {
      return gcloud.toRealPath().resolve("../..").normalize();
    } catch (IOException e) {
      return gcloud;
    }
  }

  private static Stream<Path> atHome() {
    return Stream.of(Path.of(System.getProperty("user.home", "."), "google-cloud-sdk"));
  }
}
