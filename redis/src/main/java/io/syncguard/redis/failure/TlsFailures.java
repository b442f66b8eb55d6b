package io.syncguard.redis.failure;

import io.netty.handler.ssl.NotSslRecordException;
import io.syncguard.Subject;
import io.syncguard.SyncGuardException;
import io.syncguard.SyncGuardException.Code;
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

/** Says why a TLS connection was not made: which side did not trust the other, and why. */
final class TlsFailures {

  /** What the JDK says of a certificate for another host. */
  private static final Pattern OTHER_NAME =
      Pattern.compile("No (subject alternative|name matching)\\b.*");

  /** How a server refuses a client's certificate, or a client without one. */
  private static final Pattern REFUSED =
      Pattern.compile(
          ".*\\b(certificate_\\w+|bad_certificate|unsupported_certificate|unknown_ca|access_denied"
              + "|decrypt_error|handshake_failure)\\b.*");

  private TlsFailures() {}

  /** Returns what the user sees, or null if TLS is not what failed. */
  static @Nullable SyncGuardException of(Throwable failure, Subject subject) {
    if (find(failure, NotSslRecordException.class::isInstance).isPresent()) {
      return because(
          Code.INVALID_ARGUMENT,
          "Redis does not speak TLS there; connect with redis://, or name its TLS port",
          failure,
          subject);
    }
    Optional<Throwable> doubt = find(failure, TlsFailures::isAboutCertificates);
    if (doubt.isPresent()) {
      return because(Code.AUTH_FAILED, doubtOf(failure), failure, subject);
    }
    return find(failure, SSLException.class::isInstance)
        .map(cause -> REFUSED.matcher(String.valueOf(cause.getMessage())))
        .filter(Matcher::matches)
        .map(
            alert ->
                because(
                    Code.AUTH_FAILED,
                    "Redis refused this client's certificate, or asks for one ("
                        + alert.group(1)
                        + "); name it by sslcert and sslkey",
                    failure,
                    subject))
        .orElse(null);
  }

  private static boolean isAboutCertificates(Throwable cause) {
    return cause instanceof CertificateException || cause instanceof CertPathBuilderException;
  }

  private static String doubtOf(Throwable failure) {
    Optional<Throwable> otherName =
        find(failure, cause -> OTHER_NAME.matcher(String.valueOf(cause.getMessage())).matches());
    if (otherName.isPresent()) {
      return "The certificate of Redis is for another host ("
          + otherName.get().getMessage()
          + "); connect by a name or address that it has";
    }
    if (find(failure, CertificateExpiredException.class::isInstance).isPresent()) {
      return "The certificate of Redis, or of its CA, has expired";
    }
    if (find(failure, CertificateNotYetValidException.class::isInstance).isPresent()) {
      return "The certificate of Redis, or of its CA, is not valid yet; see to the clocks";
    }
    return "The certificate of Redis is not trusted; name the certificate of its CA by sslrootcert";
  }

  private static SyncGuardException because(
      Code code, String message, Throwable failure, Subject subject) {
    return new SyncGuardException(code, message, subject, failure);
  }

  private static Optional<Throwable> find(@Nullable Throwable failure, Predicate<Throwable> what) {
    if (failure == null || what.test(failure)) {
      return Optional.ofNullable(failure);
    }
    return Stream.concat(Stream.ofNullable(failure.getCause()), Stream.of(failure.getSuppressed()))
        .map(inner -> find(inner, what))
        .flatMap(Optional::stream)
        .findFirst();
  }
}
