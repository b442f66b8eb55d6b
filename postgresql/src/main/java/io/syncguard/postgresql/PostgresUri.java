package io.syncguard.postgresql;

import io.syncguard.SyncGuardException;
import io.syncguard.postgresql.connection.UnpooledConnections;
import io.syncguard.spi.UriParameters;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A store's URI, taken apart: where the server is, and which parameters are SyncGuard's. It may
 * hold a password, so no message repeats any of it.
 *
 * @param unpooled opens a connection each time
 * @param servers their hosts and ports, as they are written
 * @param poolSize how many connections to use at most
 * @param options what SyncGuard's own parameters say
 */
record PostgresUri(
    UnpooledConnections unpooled, String servers, int poolSize, PostgresOptions options) {

  static final Set<String> SCHEMES = Set.of("postgresql", "postgres");

  private static final int DEFAULT_POOL_SIZE = 10;
  private static final int LARGEST_POOL_SIZE = 1000;

  /** So long the driver waits for a server that stands still before it lets a call end. */
  private static final int CANCEL_SECONDS = 1;

  private static final long LONGEST_SOCKET_SECONDS = Duration.ofDays(1).toSeconds();

  private static final Pattern FORM =
      Pattern.compile(
          "(?i:postgres(?:ql)?)://(?:([^@/?]*)@)?([^@/?]+)/([^@/?]+)(?:\\?(.*))?", Pattern.DOTALL);

  static PostgresUri parse(String uri, PostgresOptions defaults) {
    Matcher form = FORM.matcher(uri);
    if (!form.matches()) {
      throw unreadable();
    }
    Settings settings = new Settings(defaults);
    List<String> drivers = new ArrayList<>();
    String parameters = form.group(4);
    if (parameters != null && !parameters.isEmpty()) {
      for (String parameter : parameters.split("&", -1)) {
        if (!settings.take(parameter)) {
          refuseUnlessTheDrivers(parameter);
          drivers.add(parameter);
        }
      }
    }
    UnpooledConnections unpooled = new UnpooledConnections();
    try {
      unpooled.setUrl(
          "jdbc:postgresql://"
              + form.group(2)
              + "/"
              + form.group(3)
              + (drivers.isEmpty() ? "" : "?" + String.join("&", drivers)));
    } catch (RuntimeException e) {
      // Not as a cause: its message repeats the URI.
      throw unreadable();
    }
    setCredentials(unpooled, form.group(1));
    if (!isGiven(PGProperty.APPLICATION_NAME, drivers)) {
      unpooled.setApplicationName("syncguard");
    }
    if (!isGiven(PGProperty.CANCEL_SIGNAL_TIMEOUT, drivers)) {
      unpooled.setCancelSignalTimeout(CANCEL_SECONDS);
    }
    // The details of an error may repeat a key.
    unpooled.setLogServerErrorDetail(false);
    PostgresOptions options = settings.options();
    limitConnecting(unpooled, options.timeout(), drivers);
    if (!settings.notifies) {
      options = options.withoutListening();
    } else if (options.listening().isEmpty()) {
      options = options.withListening(unpooled);
    }
    return new PostgresUri(unpooled, form.group(2), settings.poolSize, options);
  }

  /**
   * The one thread that connects would otherwise wait for ever for a server that accepts and says
   * nothing. Once connected, the watchdog acts before the socket's limit does.
   */
  private static void limitConnecting(
      PGSimpleDataSource unpooled, Duration timeout, List<String> drivers) {
    int seconds = (int) Math.min(LONGEST_SOCKET_SECONDS, timeout.toSeconds() + 1);
    if (!isGiven(PGProperty.CONNECT_TIMEOUT, drivers)) {
      unpooled.setConnectTimeout(seconds);
    }
    if (!isGiven(PGProperty.SOCKET_TIMEOUT, drivers)) {
      unpooled.setSocketTimeout(seconds + 1);
    }
  }

  /** The driver would ignore it, and {@code sslmod=require} would not require anything. */
  private static void refuseUnlessTheDrivers(String parameter) {
    int equals = parameter.indexOf('=');
    if (equals < 0 || PGProperty.forName(parameter.substring(0, equals)) == null) {
      throw UriParameters.unknown(
          "PostgreSQL",
          parameter,
          "timeout, poolSize, waiting, the parameters of the driver, and for the tables "
              + Arrays.stream(PostgresTable.values())
                  .map(PostgresTable::parameter)
                  .collect(Collectors.joining(", ")));
    }
  }

  private static boolean isGiven(PGProperty property, List<String> parameters) {
    return parameters.stream().anyMatch(given -> given.startsWith(property.getName() + "="));
  }

  private static void setCredentials(PGSimpleDataSource source, @Nullable String userInfo) {
    if (userInfo == null || userInfo.isEmpty()) {
      return;
    }
    int colon = userInfo.indexOf(':');
    source.setUser(decoded(colon < 0 ? userInfo : userInfo.substring(0, colon)));
    if (colon >= 0) {
      source.setPassword(decoded(userInfo.substring(colon + 1)));
    }
  }

  private static String decoded(String text) {
    try {
      // In the user's part of a URI, a plus is a plus.
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw SyncGuardException.invalidArgument(
          "The PostgreSQL URI has a % that two hexadecimal digits do not follow");
    }
  }

  private static SyncGuardException unreadable() {
    return SyncGuardException.invalidArgument(
        "The PostgreSQL URI cannot be read; it is like postgresql://user:password@host:5432/name,"
            + " with @, : and / in the password written as %40, %3A and %2F");
  }

  /** What SyncGuard's own parameters say. */
  private static final class Settings {

    private final Map<PostgresTable, String> tables = new EnumMap<>(PostgresTable.class);
    private PostgresOptions options;
    private int poolSize = DEFAULT_POOL_SIZE;
    private boolean notifies = true;

    Settings(PostgresOptions defaults) {
      this.options = defaults;
    }

    PostgresOptions options() {
      return options.renaming(tables);
    }

    /** Returns whether the parameter is one of SyncGuard's. */
    boolean take(String parameter) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
      Optional<PostgresTable> table = PostgresTable.ofParameter(name);
      if (table.isPresent()) {
        tables.put(table.get(), value);
        return true;
      }
      switch (name.toLowerCase(Locale.ROOT)) {
        case "timeout" -> options = options.withTimeout(UriParameters.duration("timeout", value));
        case "poolsize" -> poolSize = poolSize(value);
        case "waiting" -> notifies = notifies(value);
        default -> {
          return false;
        }
      }
      return true;
    }

    private static int poolSize(String value) {
      if (value.matches("\\d{1,4}")) {
        int size = Integer.parseInt(value);
        if (size >= 1 && size <= LARGEST_POOL_SIZE) {
          return size;
        }
      }
      throw SyncGuardException.invalidArgument("poolSize is from 1 to " + LARGEST_POOL_SIZE);
    }

    private static boolean notifies(String value) {
      return switch (value.toLowerCase(Locale.ROOT)) {
        case "notify" -> true;
        case "poll" -> false;
        default -> throw SyncGuardException.invalidArgument("waiting is either notify or poll");
      };
    }
  }
}
