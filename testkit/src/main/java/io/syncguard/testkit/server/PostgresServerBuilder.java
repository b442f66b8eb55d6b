package io.syncguard.testkit.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Describes a {@link PostgresServer} before it starts. Not thread-safe; its setters return at once.
 */
public final class PostgresServerBuilder {
  private static final String SUPERUSER = "postgres";
  private static final String PASSWORD = "s3 cret";

  private final Map<String, String> settings = new LinkedHashMap<>();
  private int version = PostgresBinaries.FIRST_FOUND;

  PostgresServerBuilder() {
    settings.put("listen_addresses", "127.0.0.1");
    settings.put("unix_socket_directories", "");
  }

  /** Demands a major version, such as 15; its binaries have to be on the class path. */
  public PostgresServerBuilder version(int version) {
    this.version = version;
    return this;
  }

  /** Sets a parameter of the server, such as {@code "max_connections", "10"}. */
  public PostgresServerBuilder setting(String name, String value) {
    settings.put(name, value);
    return this;
  }

  /** Blocks until the server accepts connections. */
  public PostgresServer start() {
    Path programs = PostgresBinaries.ofVersion(version);
    DataDirectory directory = DataDirectory.create("postgres");
    int port = FreePorts.next();
    PostgresServer server =
        new PostgresServer(
            new PostgresAddress("127.0.0.1", port, "postgres", SUPERUSER, PASSWORD),
            directory,
            launchCommand(programs, directory, port));
    try {
      initialise(programs, directory);
      server.launch();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private List<String> launchCommand(Path programs, DataDirectory directory, int port) {
    List<String> command = new ArrayList<>(notAsRoot(directory));
    command.add(programs.resolve("postgres").toString());
    command.addAll(List.of("-D", data(directory), "-p", Integer.toString(port)));
    settings.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    return List.copyOf(command);
  }

  private static void initialise(Path programs, DataDirectory directory) {
    Path passwordFile = directory.write("password", List.of(PASSWORD));
    List<String> command = new ArrayList<>(notAsRoot(directory));
    command.add(programs.resolve("initdb").toString());
    command.addAll(List.of("-D", data(directory), "-U", SUPERUSER, "--pwfile=" + passwordFile));
    command.addAll(List.of("--auth=scram-sha-256", "--encoding=UTF8", "--no-locale", "--no-sync"));
    if (ServerProcess.launch(command, directory.log().toFile()).exitCode() != 0) {
      throw new IllegalStateException("initdb failed:\n" + directory.logTail());
    }
  }

  private static String data(DataDirectory directory) {
    return directory.path().resolve("data").toString();
  }

  /** PostgreSQL refuses to run as root, and in its own user namespace no user is root. */
  private static List<String> notAsRoot(DataDirectory directory) {
    try {
      boolean root = Integer.valueOf(0).equals(Files.getAttribute(directory.path(), "unix:uid"));
      return root ? List.of("unshare", "--user") : List.of();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot tell the owner of " + directory.path(), e);
    }
  }
}
