package io.syncguard.redis;

import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.syncguard.SyncGuardException;
import io.syncguard.redis.connection.OwnClient;
import io.syncguard.spi.UriParameters;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A store's URI, taken apart: the servers for Lettuce, and what SyncGuard's own parameters say. It
 * may hold a password, so no message repeats any of it.
 *
 * @param servers one, or for a cluster any number of nodes to begin with
 * @param cluster whether they are a cluster
 * @param options what SyncGuard's own parameters say
 */
record RedisUri(List<RedisURI> servers, boolean cluster, RedisOptions options) {

  static final Set<String> SCHEMES =
      Set.of(
          "redis",
          "rediss",
          "redis-sentinel",
          "rediss-sentinel",
          "redis-cluster",
          "rediss-cluster");

  private static final String CLUSTER = "-cluster";

  /** Parameters that Lettuce understands. */
  private static final Set<String> LETTUCE_PARAMETERS =
      Set.of(
          "database",
          "clientname",
          "libraryname",
          "libraryversion",
          "sentinelmasterid",
          "verifypeer");

  static RedisUri parse(String uri, RedisOptions defaults) {
    int colon = uri.indexOf(':');
    String scheme = colon < 0 ? "" : uri.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!SCHEMES.contains(scheme)) {
      throw SyncGuardException.invalidArgument(
          "A Redis URI begins with one of " + SCHEMES.stream().sorted().toList());
    }
    boolean cluster = scheme.endsWith(CLUSTER);
    String lettuceScheme =
        cluster ? scheme.substring(0, scheme.length() - CLUSTER.length()) : scheme;
    int hash = uri.indexOf('#');
    String fragment = hash < 0 ? "" : uri.substring(hash);
    String rest = uri.substring(colon, hash < 0 ? uri.length() : hash);
    int question = rest.indexOf('?');
    List<String> lettuceParameters = new ArrayList<>();
    RedisOptions options = defaults;
    if (question >= 0) {
      String query = rest.substring(question + 1);
      for (String parameter : query.split("&", -1)) {
        String name = nameOf(parameter);
        if (LETTUCE_PARAMETERS.contains(name.toLowerCase(Locale.ROOT))) {
          lettuceParameters.add(parameter);
        } else {
          options = applied(name, parameter, query, options);
        }
      }
    }
    String address =
        lettuceScheme
            + (question < 0 ? rest : rest.substring(0, question))
            + (lettuceParameters.isEmpty() ? "" : "?" + String.join("&", lettuceParameters))
            + fragment;
    List<RedisURI> servers = servers(address, cluster);
    options.tls().checkAgainst(servers);
    return new RedisUri(servers, cluster, options);
  }

  /** Returns at once a client for these servers, which has not connected yet. */
  OwnClient client() {
    return OwnClient.of(servers, cluster, options.commandTimeout(), options.tls());
  }

  private static List<RedisURI> servers(String address, boolean cluster) {
    try {
      List<RedisURI> servers =
          cluster
              ? RedisClusterURIUtil.toRedisURIs(URI.create(address))
              : List.of(RedisURI.create(address));
      boolean usable =
          servers.stream().allMatch(RedisUri::hasPlausibleHost)
              && !(cluster && servers.stream().anyMatch(server -> server.getDatabase() != 0));
      if (usable) {
        servers.forEach(RedisUri::tellCredentialsAtOnce);
        return servers;
      }
    } catch (RuntimeException e) {
      // Not as a cause: its message repeats the URI.
    }
    throw SyncGuardException.invalidArgument(
        "The Redis URI cannot be read; it is like redis://user:password@host:6379/0, "
            + "redis-sentinel://host:26379,host:26379/0#master-name or "
            + "redis-cluster://host:6379,host:6379, which has no database number");
  }

  /** Lettuce makes a port that is no number a part of the host. */
  private static boolean hasPlausibleHost(RedisURI server) {
    String host = server.getHost();
    return host == null || host.indexOf(':') < 0 || host.indexOf(':') != host.lastIndexOf(':');
  }

  /**
   * With a provider of credentials that Lettuce must wait for, such as it makes of a URI's user and
   * password, it connects in two threads, and may hand out a connection before it takes commands.
   */
  private static void tellCredentialsAtOnce(RedisURI server) {
    RedisCredentials credentials =
        server.getCredentialsProvider().resolveCredentials().toFuture().join();
    server.setCredentialsProvider(new StaticCredentialsProvider(credentials));
    server.getSentinels().forEach(RedisUri::tellCredentialsAtOnce);
  }

  private static String nameOf(String parameter) {
    int equals = parameter.indexOf('=');
    return equals < 0 ? parameter : parameter.substring(0, equals);
  }

  private static String valueOf(String parameter) {
    int equals = parameter.indexOf('=');
    try {
      return equals < 0
          ? ""
          : URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw SyncGuardException.invalidArgument(
          "A parameter of the Redis URI has a % that two hexadecimal digits do not follow");
    }
  }

  /** With an @ in the query, the parameter may be a part of a password, so it is not named. */
  private static RedisOptions applied(
      String name, String parameter, String query, RedisOptions options) {
    String value = valueOf(parameter);
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "keyprefix" -> options.withKeyPrefix(value);
      case "semaphorenamespace" -> options.withSemaphoreNamespace(value);
      case "cleanupinislocked" -> options.withCleanupInIsLocked(flag(value));
      case "fences" -> options.withFences(fences(value));
      case "releases" -> options.withReleases(releases(value));
      case "sslrootcert" -> options.withTls(options.tls().withTrusted(file(name, value)));
      case "sslcert" -> options.withTls(options.tls().withCertificate(file(name, value)));
      case "sslkey" -> options.withTls(options.tls().withKey(file(name, value)));
      case "timeout" -> options.withCommandTimeout(UriParameters.duration("timeout", value));
      default ->
          throw UriParameters.unknown(
              "Redis",
              query.contains("@") ? "" : parameter,
              "keyPrefix, semaphoreNamespace, fences, releases, cleanupInIsLocked, timeout,"
                  + " sslrootcert, sslcert, sslkey, database, clientName, sentinelMasterId and verifyPeer");
    };
  }

  private static Path file(String name, String value) {
    try {
      if (!value.isEmpty()) {
        return Path.of(value);
      }
    } catch (InvalidPathException e) {
      // Not as a cause: its message repeats a part of the URI.
    }
    throw SyncGuardException.invalidArgument(
        name.toLowerCase(Locale.ROOT) + " is the name of a file");
  }

  private static boolean flag(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw SyncGuardException.invalidArgument("cleanupInIsLocked is either true or false");
    };
  }

  private static RedisOptions.Fences fences(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "counted" -> RedisOptions.Fences.COUNTED;
      case "survive-data-loss" -> RedisOptions.Fences.SURVIVE_DATA_LOSS;
      default ->
          throw SyncGuardException.invalidArgument("fences is either counted or survive-data-loss");
    };
  }

  private static RedisOptions.Releases releases(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "grant" -> RedisOptions.Releases.GRANT;
      case "tell" -> RedisOptions.Releases.TELL;
      default -> throw SyncGuardException.invalidArgument("releases is either grant or tell");
    };
  }
}
