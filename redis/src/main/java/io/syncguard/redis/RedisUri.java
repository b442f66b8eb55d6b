package io.syncguard.redis;

import io.lettuce.core.RedisURI;
import io.lettuce.core.cluster.RedisClusterURIUtil;
import io.syncguard.SyncGuardException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A store's URI, taken apart: where the servers are, and which of its parameters are ours. It may
 * hold a password, so no message repeats any of it.
 *
 * @param servers one, or for a cluster any number of nodes to begin with
 * @param cluster whether they are a cluster
 * @param options what our own parameters say
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
    String rest = uri.substring(colon);
    int question = rest.indexOf('?');
    List<String> lettuceParameters = new ArrayList<>();
    RedisOptions options = defaults;
    if (question >= 0) {
      for (String parameter : rest.substring(question + 1).split("&", -1)) {
        RedisOptions changed = applied(parameter, options);
        if (changed == null) {
          lettuceParameters.add(parameter);
        } else {
          options = changed;
        }
      }
    }
    String address =
        lettuceScheme
            + (question < 0 ? rest : rest.substring(0, question))
            + (lettuceParameters.isEmpty() ? "" : "?" + String.join("&", lettuceParameters));
    try {
      List<RedisURI> servers =
          cluster
              ? RedisClusterURIUtil.toRedisURIs(URI.create(address))
              : List.of(RedisURI.create(address));
      boolean hasTimeout = lettuceParameters.stream().anyMatch(p -> p.startsWith("timeout="));
      return new RedisUri(
          servers,
          cluster,
          hasTimeout ? options.withCommandTimeout(servers.get(0).getTimeout()) : options);
    } catch (IllegalArgumentException e) {
      // Without the cause: its message repeats the URI.
      throw SyncGuardException.invalidArgument(
          "The Redis URI cannot be read; it is like redis://user:password@host:6379/0, "
              + "redis-sentinel://host:26379,host:26379/0#master-name or "
              + "redis-cluster://host:6379,host:6379");
    }
  }

  private static @org.jspecify.annotations.Nullable RedisOptions applied(
      String parameter, RedisOptions options) {
    int equals = parameter.indexOf('=');
    String name = equals < 0 ? parameter : parameter.substring(0, equals);
    String value =
        equals < 0
            ? ""
            : URLDecoder.decode(parameter.substring(equals + 1), StandardCharsets.UTF_8);
    return switch (name) {
      case "keyPrefix" -> options.withKeyPrefix(value);
      case "cleanupInIsLocked" -> options.withCleanupInIsLocked(flag(value));
      case "fences" -> options.withFences(fences(value));
      default -> null;
    };
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
}
