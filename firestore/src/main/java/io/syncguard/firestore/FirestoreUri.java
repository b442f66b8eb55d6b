package io.syncguard.firestore;

import io.syncguard.SyncGuardException;
import io.syncguard.spi.UriParameters;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A store's URI, taken apart.
 *
 * @param project the id of the Google Cloud project
 * @param database the id of the database
 * @param emulator host and port of an emulator; null for Google's servers
 * @param options what the parameters say
 */
record FirestoreUri(
    String project, String database, @Nullable String emulator, FirestoreStoreOptions options) {

  static final String SCHEME = "firestore";

  private static final String DEFAULT_DATABASE = "(default)";
  private static final Pattern FORM =
      Pattern.compile(
          "(?i:" + SCHEME + ")://([a-z0-9.:-]+)(?:/([a-zA-Z0-9()-]*))?(?:\\?(.*))?",
          Pattern.DOTALL);
  private static final Pattern HOST_AND_PORT = Pattern.compile("[A-Za-z0-9.\\[\\]:-]+:\\d{1,5}");

  static FirestoreUri parse(String uri, FirestoreStoreOptions defaults) {
    Matcher form = FORM.matcher(uri);
    if (!form.matches()) {
      throw SyncGuardException.invalidArgument(
          "The Firestore URI cannot be read; it is like firestore://project/database, or"
              + " firestore://project for the default database");
    }
    Parameters parameters = new Parameters(defaults);
    if (form.group(3) != null && !form.group(3).isEmpty()) {
      for (String parameter : form.group(3).split("&", -1)) {
        parameters.take(parameter);
      }
    }
    String database = form.group(2);
    return new FirestoreUri(
        form.group(1),
        database == null || database.isEmpty() ? DEFAULT_DATABASE : database,
        parameters.emulator,
        parameters.options());
  }

  /** What the parameters say. */
  private static final class Parameters {

    private FirestoreStoreOptions options;
    private String locks;
    private String fences;
    private @Nullable String emulator;

    Parameters(FirestoreStoreOptions defaults) {
      this.options = defaults;
      this.locks = defaults.locksCollection();
      this.fences = defaults.fencesCollection();
    }

    FirestoreStoreOptions options() {
      return options.withCollections(locks, fences);
    }

    void take(String parameter) {
      int equals = parameter.indexOf('=');
      String name = equals < 0 ? parameter : parameter.substring(0, equals);
      String value = equals < 0 ? "" : decoded(parameter.substring(equals + 1));
      switch (name.toLowerCase(Locale.ROOT)) {
        case "lockscollection" -> locks = value;
        case "fencescollection" -> fences = value;
        case "timeout" -> options = options.withTimeout(UriParameters.duration("timeout", value));
        case "cleanupinislocked" -> options = options.withCleanupInIsLocked(flag(value));
        case "emulator" -> emulator = hostAndPort(value);
        default ->
            throw UriParameters.unknown(
                "Firestore",
                parameter,
                "locksCollection, fencesCollection, timeout, cleanupInIsLocked and emulator");
      }
    }

    private static boolean flag(String value) {
      return switch (value) {
        case "true" -> true;
        case "false" -> false;
        default ->
            throw SyncGuardException.invalidArgument("cleanupInIsLocked is either true or false");
      };
    }

    private static String hostAndPort(String value) {
      if (!HOST_AND_PORT.matcher(value).matches()) {
        throw SyncGuardException.invalidArgument("emulator is a host and a port");
      }
      return value;
    }

    private static String decoded(String text) {
      try {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
      } catch (IllegalArgumentException e) {
        throw SyncGuardException.invalidArgument(
            "The Firestore URI has a % that two hexadecimal digits do not follow");
      }
    }
  }
}
