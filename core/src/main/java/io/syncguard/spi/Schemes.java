package io.syncguard.spi;

import io.syncguard.SyncGuardException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The scheme of a store's URI, and what to write where one is wrong. What does not look like a
 * scheme may be a password and is not repeated.
 */
final class Schemes {

  private static final Pattern AT_THE_BEGINNING = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):");
  private static final Pattern HOST_AND_PORT = Pattern.compile("[A-Za-z0-9.-]+:\\d{1,5}(?:/.*)?");

  private static final String EXAMPLES =
      "redis://host:6379, postgresql://host:5432/database, sqlite:path or memory:";

  /** Which artifact has a store, by the beginning of its schemes. */
  private static final Map<String, String> ARTIFACTS =
      new TreeMap<>(
          Map.of(
              "redis", "syncguard-redis",
              "postgres", "syncguard-postgresql",
              "sqlite", "syncguard-sqlite",
              "firestore", "syncguard-firestore"));

  private Schemes() {}

  /**
   * Returns the scheme in lower case.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT if the URI has none
   */
  static String of(@Nullable String uri) {
    if (uri == null) {
      throw SyncGuardException.invalidArgument(
          "The store's URI is null; write one such as " + EXAMPLES);
    }
    Matcher beginning = AT_THE_BEGINNING.matcher(uri);
    if (!beginning.lookingAt()) {
      throw withoutScheme();
    }
    return beginning.group(1).toLowerCase(Locale.ROOT);
  }

  private static SyncGuardException withoutScheme() {
    return SyncGuardException.invalidArgument(
        "A store's URI begins with a scheme and a colon: write " + EXAMPLES);
  }

  /** Returns what to fail with where no store on the class path has the URI's scheme. */
  static SyncGuardException unknown(String uri, Set<String> known) {
    String scheme = of(uri);
    if (scheme.equals("jdbc")) {
      return SyncGuardException.invalidArgument(
          "A store's URI has no jdbc: in front: write postgresql://user:password@host:5432/database"
              + " or sqlite:path");
    }
    for (Map.Entry<String, String> artifact : ARTIFACTS.entrySet()) {
      if (scheme.startsWith(artifact.getKey())
          && known.stream().noneMatch(other -> other.startsWith(artifact.getKey()))) {
        return SyncGuardException.invalidArgument(
            "No store for the scheme '"
                + scheme
                + "' is on the class path: add the dependency io.syncguard:"
                + artifact.getValue()
                + ". If this is a fat jar, its build must merge the files in META-INF/services");
      }
    }
    if (HOST_AND_PORT.matcher(uri).matches()) {
      return withoutScheme();
    }
    return SyncGuardException.invalidArgument(
        "No store has the scheme '" + scheme + "'. On the class path are stores for " + known);
  }
}
