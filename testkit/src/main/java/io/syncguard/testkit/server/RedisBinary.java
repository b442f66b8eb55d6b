package io.syncguard.testkit.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;

/** The redis-server executable, unpacked from the classpath once per JVM. */
final class RedisBinary {
  private static final String VERSION = "7.0.15";

  private RedisBinary() {}

  static Path path() {
    return Unpacked.PATH;
  }

  private static final class Unpacked {
    static final Path PATH = unpack();
  }

  private static Path unpack() {
    String resource = "redis-server-" + VERSION + "-" + os() + "-" + architecture();
    try (InputStream binary = RedisBinary.class.getClassLoader().getResourceAsStream(resource)) {
      if (binary == null) {
        throw new IllegalStateException(
            "No " + resource + " on the classpath; add org.signal:embedded-redis");
      }
      Path file = Files.createTempFile("syncguard-redis-server-", "");
      file.toFile().deleteOnExit();
      Files.copy(binary, file, StandardCopyOption.REPLACE_EXISTING);
      if (!file.toFile().setExecutable(true)) {
        throw new IOException("Cannot make " + file + " executable");
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot unpack " + resource, e);
    }
  }

  private static String os() {
    String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    return name.startsWith("mac") ? "darwin" : name;
  }

  private static String architecture() {
    String name = System.getProperty("os.arch", "");
    return switch (name) {
      case "x86_64" -> "amd64";
      case "aarch64" -> "arm64";
      default -> name;
    };
  }
}
