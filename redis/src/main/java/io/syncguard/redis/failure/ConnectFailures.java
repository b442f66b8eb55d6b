package io.syncguard.redis.failure;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisURI;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Names the addresses of servers that could not be reached when connecting. */
public final class ConnectFailures {

  private ConnectFailures() {}

  /**
   * Returns the failure with the addresses in its message; the failure itself if Redis answered, or
   * if it is not about reaching it.
   */
  public static RuntimeException naming(List<RedisURI> servers, RuntimeException failure) {
    if (!(failure instanceof SyncGuardException known)
        || (known.code() != Code.SERVICE_UNAVAILABLE && known.code() != Code.NETWORK_TIMEOUT)
        || RedisFailures.isAnswer(known)) {
      return failure;
    }
    return new SyncGuardException(
        known.code(),
        "Redis cannot be reached at " + addresses(servers) + reason(servers, known),
        Subject.NONE,
        known.getCause());
  }

  /** Returns hosts and ports: those of the Sentinels where they are asked for the master. */
  public static String addresses(List<RedisURI> servers) {
    return servers.stream()
        .flatMap(
            server ->
                server.getSentinels().isEmpty()
                    ? Stream.of(server)
                    : server.getSentinels().stream())
        .map(ConnectFailures::address)
        .collect(Collectors.joining(", "));
  }

  private static String address(RedisURI server) {
    return server.getSocket() != null
        ? server.getSocket()
        : server.getHost() + ":" + server.getPort();
  }

  private static String reason(List<RedisURI> servers, SyncGuardException failure) {
    if (has(failure, UnknownHostException.class::isInstance)) {
      return ": the host is not known";
    }
    if (has(failure, ConnectFailures::isTimeout)) {
      return " in time" + (takesTls(servers) ? "; see whether this port takes TLS" : "");
    }
    if (has(failure, ConnectException.class::isInstance)) {
      return ": no connection is accepted there";
    }
    return has(failure, ConnectFailures::isEnded)
        ? ": it ends connections at once"
            + (takesTls(servers) ? "" : "; if it takes TLS only, the URI begins with rediss")
        : "";
  }

  private static boolean isEnded(Throwable cause) {
    String message = String.valueOf(cause.getMessage());
    return message.contains("Connection reset") || message.contains("Connection closed");
  }

  private static boolean takesTls(List<RedisURI> servers) {
    return servers.stream().anyMatch(RedisURI::isSsl);
  }

  /** Netty's own exception for a timeout is a ConnectException too. */
  private static boolean isTimeout(Throwable cause) {
    return cause instanceof RedisCommandTimeoutException
        || cause instanceof SslHandshakeTimeoutException
        || cause instanceof TimeoutException
        || (cause instanceof ConnectException
            && String.valueOf(cause.getMessage()).contains("timed out"));
  }

  private static boolean has(@Nullable Throwable failure, Predicate<Throwable> reason) {
    return failure != null
        && (reason.test(failure)
            || has(failure.getCause(), reason)
            || Stream.of(failure.getSuppressed()).anyMatch(suppressed -> has(suppressed, reason)));
  }
}
