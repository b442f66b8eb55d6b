package io.syncguard.postgresql.connection;

import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
import io.syncguard.jdbc.script.SqlCall;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;

/**
 * Says why a TLS connection was not made: which side did not trust the other, and why. The driver
 * calls all of it a lost connection.
 */
final class PostgresTlsFailures {

  /** What a server ends a connection with whose certificate, or none, it does not take. */
  private static final Pattern REFUSED =
      Pattern.compile(
          ".*\\b(certificate_\\w+|bad_certificate|unsupported_certificate|unknown_ca|access_denied"
              + "|decrypt_error|handshake_failure)\\b.*");

  /** Where the driver compares names after the handshake; its words depend on the language. */
  private static final String NAMES_ARE_COMPARED = "org.postgresql.ssl.MakeSSL";

  /** Where the driver reads the files that it was told of. */
  private static final String FILES_ARE_READ = "org.postgresql.ssl.";

  private PostgresTlsFailures() {}

  /** Returns what the user sees, or null if TLS is not what failed. */
  static @Nullable SyncGuardException of(@Nullable Throwable failure, String server, SqlCall call) {
    if (find(failure, PostgresTlsFailures::isAboutCertificates).isPresent()) {
      return call.failure(Code.AUTH_FAILED, doubtOf(failure, server), failure);
    }
    if (find(failure, cause -> isDriversOwn(cause, NAMES_ARE_COMPARED)).isPresent()) {
      return call.failure(
          Code.AUTH_FAILED,
          "The certificate of "
              + server
              + " is for another host; connect by a name or address that it has. sslmode=verify-ca"
              + " does not compare them",
          failure);
    }
    Optional<Matcher> refused =
        find(failure, SSLException.class::isInstance)
            .map(cause -> REFUSED.matcher(String.valueOf(cause.getMessage())))
            .filter(Matcher::matches);
    if (refused.isPresent()) {
      return call.failure(
          Code.AUTH_FAILED,
          server
              + " refused this client's certificate, or asks for one ("
              + refused.get().group(1)
              + "); name it by sslcert and sslkey",
          failure);
    }
    return find(failure, cause -> isDriversOwn(cause, FILES_ARE_READ))
        .map(
            cause ->
                call.failure(
                    Code.INVALID_ARGUMENT,
                    "TLS cannot be set up ("
                        + cause.getMessage()
                        + "); see sslrootcert, sslcert and sslkey",
                    failure))
        .orElse(null);
  }

  private static boolean isAboutCertificates(Throwable cause) {
    return cause instanceof CertificateException || cause instanceof CertPathBuilderException;
  }

  /** A handshake that failed is thrown there, too, but because of something else. */
  private static boolean isDriversOwn(Throwable cause, String where) {
    StackTraceElement[] frames = cause.getStackTrace();
    return cause instanceof PSQLException
        && frames.length > 0
        && frames[0].getClassName().startsWith(where)
        && find(cause.getCause(), SSLException.class::isInstance).isEmpty();
  }

  private static String doubtOf(@Nullable Throwable failure, String server) {
    if (find(failure, CertificateExpiredException.class::isInstance).isPresent()) {
      return "The certificate of " + server + ", or of its CA, has expired";
    }
    if (find(failure, CertificateNotYetValidException.class::isInstance).isPresent()) {
      return "The certificate of " + server + ", or of its CA, is not valid yet; see to the clocks";
    }
    return "The certificate of "
        + server
        + " is not trusted; name the certificate of its CA by sslrootcert, or see to sslmode";
  }

  private static Optional<Throwable> find(@Nullable Throwable failure, Predicate<Throwable> what) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause)
        .filter(what)
        .findFirst();
  }
}
