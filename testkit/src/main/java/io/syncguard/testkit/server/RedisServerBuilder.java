package io.syncguard.testkit.server;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Describes a {@link RedisServer} before it starts. Not thread-safe; its setters return at once.
 */
public final class RedisServerBuilder {
  private static final List<String> DEFAULTS =
      List.of(
          "--bind", "127.0.0.1",
          "--save", "",
          "--shutdown-timeout", "0",
          "--repl-diskless-sync-delay", "0");

  private final List<String> args = new ArrayList<>();
  private final List<String> aclLines = new ArrayList<>();
  private final List<String> configLines = new ArrayList<>();
  private @Nullable String password;
  private int tlsPort;

  RedisServerBuilder() {}

  /**
   * Adds options of redis-server, such as {@code "--appendonly", "yes"}; the last of a name wins.
   */
  public RedisServerBuilder args(String... args) {
    this.args.addAll(List.of(args));
    return this;
  }

  /** Demands this password of the default user; the server's {@code uri()} carries it. */
  public RedisServerBuilder password(String password) {
    this.password = password;
    return this;
  }

  /** Adds a line of the ACL file, such as {@code user alice on >secret ~* &* +@all}. */
  public RedisServerBuilder acl(String line) {
    aclLines.add(line);
    return this;
  }

  /**
   * Lets the server take TLS as well, on {@link RedisServer#tlsPort() another port}. All files are
   * in PEM form.
   *
   * @param trusted certificates of the CAs that clients' certificates come from
   * @param asksClients whether a client must show a certificate
   */
  public RedisServerBuilder tls(Path certificate, Path key, Path trusted, boolean asksClients) {
    tlsPort = FreePorts.next();
    return args("--tls-port", Integer.toString(tlsPort))
        .args("--tls-cert-file", certificate.toString())
        .args("--tls-key-file", key.toString())
        .args("--tls-ca-cert-file", trusted.toString())
        .args("--tls-auth-clients", asksClients ? "yes" : "no");
  }

  /**
   * Adds a line of a configuration file, which, unlike an argument, the server itself may rewrite.
   */
  public RedisServerBuilder config(String line) {
    configLines.add(line);
    return this;
  }

  /** Blocks until the server answers. */
  public RedisServer start() {
    int port = FreePorts.next();
    DataDirectory directory = DataDirectory.create("redis");
    RedisServer server =
        new RedisServer(port, tlsPort, password, directory, launchCommand(port, directory));
    try {
      server.launch();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private List<String> launchCommand(int port, DataDirectory directory) {
    List<String> command = new ArrayList<>();
    command.add(RedisBinary.path().toString());
    if (!configLines.isEmpty()) {
      command.add(directory.write("redis.conf", configLines).toString());
    }
    command.addAll(List.of("--port", Integer.toString(port), "--dir", directory.path().toString()));
    command.addAll(DEFAULTS);
    if (!aclLines.isEmpty()) {
      command.addAll(List.of("--aclfile", directory.write("users.acl", aclFile()).toString()));
    } else if (password != null) {
      command.addAll(List.of("--requirepass", password));
    }
    command.addAll(args);
    return List.copyOf(command);
  }

  /** An ACL file overrules requirepass, so the password has to become a line of it. */
  private List<String> aclFile() {
    List<String> lines = new ArrayList<>(aclLines);
    if (password != null) {
      lines.add("user default on >" + password + " ~* &* +@all");
    }
    return lines;
  }
}
