package io.syncguard.redis.failure;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Turns failures of Lettuce and Redis into the codes that users see. */
public final class RedisFailures {

  private static final String NOT_CONNECTED = "Currently not connected";

  /** What Lettuce says when it has not sent a command; otherwise it may have been carried out. */
  private static final List<String> NOT_SENT =
      List.of(
          NOT_CONNECTED,
          "Connection is closed",
          "Request queue size exceeded",
          "Command buffer size exceeded",
          "Internal stack size exceeded",
          "cannot be started once stopped");

  /** What Redis 7.0, and what later ones say when a command inside a script is not permitted. */
  private static final List<String> NOT_PERMITTED_IN_SCRIPT =
      List.of("ERR The user executing the script can't", "ERR ACL failure in script");

  /**
   * What Lettuce says when the server refused a connection faster than Lettuce came to look at it:
   * the server's reason is lost then.
   */
  private static final String REASON_LOST = "RedisHandshakeHandler not registered";

  private static final String NO_SUCH_DATABASE = "ERR DB index is out of range";
  private static final Pattern NOT_A_SENTINEL =
      Pattern.compile("^ERR unknown command [`'\"]?sentinel\\b.*", Pattern.CASE_INSENSITIVE);

  /** From here on Redis repeats what it was sent, which may be keys, ids or a password. */
  private static final String ARGUMENTS = ", with args beginning with";

  private static final int LONGEST_REASON = 200;

  /** What Redis itself, and what Upstash says. */
  private static final List<String> TOO_MANY_CLIENTS =
      List.of("ERR max number of clients reached", "ERR max concurrent connections exceeded");

  /** What Upstash says when the commands of a day or a month are used up; Redis never throttles. */
  private static final Pattern THROTTLED =
      Pattern.compile("^ERR max (daily )?requests? limit exceeded.*");

  private static final String NOT_A_CLUSTER = "ERR This instance has cluster support disabled";

  /** Before Redis 7 an error inside a script was wrapped in another one. */
  private static final Pattern ERROR_IN_SCRIPT_BEFORE_7 =
      Pattern.compile("^ERR Error running script .*: -?([A-Z]{2,}) ");

  private RedisFailures() {}

  /** Returns what the user sees. */
  public static SyncGuardException of(Throwable thrown, Subject subject) {
    return of(thrown, subject, "Redis");
  }

  /**
   * Returns what the user sees.
   *
   * @param server what messages call the server, where it was not reached
   */
  public static SyncGuardException of(Throwable thrown, Subject subject, String server) {
    Throwable failure = unwrapped(thrown);
    if (failure instanceof SyncGuardException already) {
      return already;
    }
    RedisCommandExecutionException answer = answerIn(failure);
    if (answer != null) {
      String error = String.valueOf(answer.getMessage());
      String word = firstWord(error);
      String message = explanation(word, reason(error, subject));
      return new SyncGuardException(codeFor(word), message, subject, answer);
    }
    SyncGuardException distrust = TlsFailures.of(failure, subject);
    if (distrust != null) {
      return distrust;
    }
    if (failure instanceof RedisCommandTimeoutException || failure instanceof TimeoutException) {
      return SyncGuardException.withUnknownOutcome(
          Code.NETWORK_TIMEOUT, server + " did not answer in time", subject, failure);
    }
    if (failure instanceof RedisConnectionException
        || failure instanceof RejectedExecutionException
        || wasNotSent(failure)) {
      return new SyncGuardException(
          Code.SERVICE_UNAVAILABLE, "There is no connection to " + server, subject, failure);
    }
    // A connection that is reset fails what was under way with a plain IOException.
    if (failure instanceof RedisException
        || failure instanceof IOException
        || failure instanceof CancellationException) {
      return SyncGuardException.withUnknownOutcome(
          Code.SERVICE_UNAVAILABLE, "The connection to " + server + " was lost", subject, failure);
    }
    return SyncGuardException.withUnknownOutcome(
        Code.INTERNAL, "The Redis client failed in an unexpected way", subject, failure);
  }

  private static Throwable unwrapped(Throwable thrown) {
    Throwable failure = thrown;
    while (failure instanceof CompletionException && failure.getCause() != null) {
      failure = failure.getCause();
    }
    return failure;
  }

  /** Redis's own words, which Lettuce wraps, or suppresses, when they answer to connecting. */
  private static @Nullable RedisCommandExecutionException answerIn(@Nullable Throwable failure) {
    if (failure == null || failure instanceof RedisCommandExecutionException) {
      return (RedisCommandExecutionException) failure;
    }
    for (Throwable suppressed : failure.getSuppressed()) {
      RedisCommandExecutionException answer = answerIn(suppressed);
      if (answer != null) {
        return answer;
      }
    }
    return answerIn(failure.getCause());
  }

  /** Returns whether Redis itself refused, rather than that it could not be asked. */
  public static boolean isAnswer(Throwable failure) {
    return answerIn(failure) != null;
  }

  /** Returns whether Redis refused to write because it is a replica. */
  public static boolean isFromReplica(Throwable failure) {
    RedisCommandExecutionException answer = answerIn(failure);
    return answer != null && firstWord(String.valueOf(answer.getMessage())).equals("READONLY");
  }

  /** Returns whether connecting failed for a reason that Lettuce lost; another try tells it. */
  public static boolean isReasonLost(@Nullable Throwable failure) {
    return failure != null
        && (REASON_LOST.equals(failure.getMessage())
            || isReasonLost(failure.getCause())
            || Stream.of(failure.getSuppressed()).anyMatch(RedisFailures::isReasonLost));
  }

  /** Returns whether Lettuce has not sent a command, but would if it were connected. */
  public static boolean isDisconnected(Throwable failure) {
    return String.valueOf(failure.getMessage()).startsWith(NOT_CONNECTED);
  }

  private static boolean wasNotSent(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return NOT_SENT.stream().anyMatch(message::startsWith);
  }

  /** Returns the first word of an error of Redis, which is its kind. */
  public static String firstWord(String error) {
    if (NOT_PERMITTED_IN_SCRIPT.stream().anyMatch(error::startsWith)) {
      return "NOPERM";
    }
    if (TOO_MANY_CLIENTS.stream().anyMatch(error::startsWith)) {
      return "MAXCLIENTS";
    }
    if (THROTTLED.matcher(error).matches()) {
      return "THROTTLED";
    }
    if (error.startsWith(NOT_A_CLUSTER)) {
      return "NOCLUSTER";
    }
    if (error.startsWith(NO_SUCH_DATABASE)) {
      return "NODATABASE";
    }
    if (NOT_A_SENTINEL.matcher(error).matches()) {
      return "NOSENTINEL";
    }
    Matcher inScript = ERROR_IN_SCRIPT_BEFORE_7.matcher(error);
    if (inScript.find()) {
      return inScript.group(1);
    }
    int space = error.indexOf(' ');
    return space < 0 ? error : error.substring(0, space);
  }

  /** Returns Redis's own words; only the first if the others tell a key or an id. */
  private static String reason(String error, Subject subject) {
    int end = error.indexOf(ARGUMENTS);
    String reason = end < 0 ? error : error.substring(0, end);
    if (Stream.of(subject.name(), subject.id())
        .anyMatch(raw -> raw != null && reason.contains(raw))) {
      return firstWord(error);
    }
    return reason.length() > LONGEST_REASON ? reason.substring(0, LONGEST_REASON) : reason;
  }

  private static Code codeFor(String word) {
    return switch (word) {
      case "READONLY",
          "LOADING",
          "CLUSTERDOWN",
          "MASTERDOWN",
          "TRYAGAIN",
          "OOM",
          "BUSY",
          "MISCONF",
          "NOREPLICAS",
          "MAXCLIENTS",
          "MOVED",
          "ASK" ->
          Code.SERVICE_UNAVAILABLE;
      case "NOAUTH", "WRONGPASS", "NOPERM", "DENIED" -> Code.AUTH_FAILED;
      case "THROTTLED" -> Code.RATE_LIMITED;
      case "WRONGTYPE", "SYNTAX", "INVALID", "CROSSSLOT", "NOCLUSTER", "NODATABASE", "NOSENTINEL" ->
          Code.INVALID_ARGUMENT;
      default -> Code.INTERNAL;
    };
  }

  private static String explanation(String word, String reason) {
    return switch (word) {
      case "READONLY" -> "Redis answered READONLY: this is a replica; connect to the master";
      case "OOM" -> "Redis answered OOM: it is out of memory and takes no more writes";
      case "MAXCLIENTS" -> "Redis takes no more clients; see to its maxclients, or close some";
      case "NOAUTH", "WRONGPASS" -> "Redis refused the credentials: " + word;
      case "DENIED" ->
          "Redis answered DENIED: it is in protected mode, and takes clients of its own machine only;"
              + " set a password there";
      case "NOPERM" ->
          "Redis answered NOPERM: the user needs more rights on SyncGuard's keys, such as @sortedset for"
              + " waiting; the store's guide lists them";
      case "WRONGTYPE" -> "A Redis key that SyncGuard uses holds something else: WRONGTYPE";
      case "CORRUPT" -> "A record or counter in Redis is damaged; nothing was changed";
      case "FENCEOVERFLOW" -> "The fences of this key are used up; nothing was changed";
      case "CROSSSLOT" ->
          "Redis answered CROSSSLOT: this is a cluster; connect with redis-cluster://";
      case "NOCLUSTER" -> "This Redis is not part of a cluster; connect with redis://";
      case "NODATABASE" ->
          "This Redis has no database of that number ("
              + reason
              + "); use a smaller one, such as 0";
      case "NOSENTINEL" ->
          "This Redis is not a Sentinel; connect with redis://, or name the Sentinels' own port";
      default -> "Redis answered " + reason;
    };
  }
}
