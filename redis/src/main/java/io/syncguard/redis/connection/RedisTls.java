package io.syncguard.redis.connection;

import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.netty.handler.ssl.SslContextBuilder;
import io.syncguard.SyncGuardException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which certificates to trust and to show on connections with TLS. The parameters of a URI have the
 * names that PostgreSQL's driver gives them. The files are read for each connection, so that a
 * renewed certificate counts from the next connection on.
 *
 * @param trusted certificates of CAs in PEM form; null for the CAs that the JVM trusts
 * @param certificate this client's certificate, followed by the certificates between it and the CA,
 *     in PEM form; null for none
 * @param key its private key, PKCS #8 in PEM form without a passphrase; null for none
 */
public record RedisTls(@Nullable Path trusted, @Nullable Path certificate, @Nullable Path key) {

  /** What the JVM trusts, and no certificate to show. */
  public static final RedisTls OF_THE_JVM = new RedisTls(null, null, null);

  /** Returns the same with these CAs. */
  public RedisTls withTrusted(Path trusted) {
    return new RedisTls(trusted, certificate, key);
  }

  /** Returns the same with this certificate to show. */
  public RedisTls withCertificate(Path certificate) {
    return new RedisTls(trusted, certificate, key);
  }

  /** Returns the same with the private key of the certificate. */
  public RedisTls withKey(Path key) {
    return new RedisTls(trusted, certificate, key);
  }

  /**
   * Refuses files for servers without TLS: a user who names a CA would believe to have it.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT
   */
  public void checkAgainst(List<RedisURI> servers) {
    if (!equals(OF_THE_JVM) && !servers.stream().allMatch(RedisURI::isSsl)) {
      throw SyncGuardException.invalidArgument(
          "sslrootcert, sslcert and sslkey are for TLS: the URI begins with rediss://,"
              + " rediss-sentinel:// or rediss-cluster://");
    }
    if ((certificate == null) != (key == null)) {
      throw SyncGuardException.invalidArgument(
          "A client certificate has a key: sslcert and sslkey come together");
    }
  }

  /**
   * Refuses files for a client that the caller has: it comes with its own {@link SslOptions}.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT
   */
  public void refuseForCallersClient() {
    if (!equals(OF_THE_JVM)) {
      throw SyncGuardException.invalidArgument(
          "A Redis client of your own has SslOptions: name the certificates there, not in RedisOptions");
    }
  }

  /**
   * Reads the files.
   *
   * @param limit how long the handshake may take
   */
  SslOptions options(Duration limit) {
    Stream.of(trusted, certificate, key).filter(Objects::nonNull).forEach(RedisTls::checkReadable);
    SslOptions.Builder options = SslOptions.builder().jdkSslProvider().handshakeTimeout(limit);
    if (trusted != null) {
      checkTrusted(trusted);
      options.trustManager(trusted.toFile());
    }
    if (certificate != null && key != null) {
      checkOwn(certificate, key);
      options.keyManager(certificate.toFile(), key.toFile(), new char[0]);
    }
    return options.build();
  }

  private static void checkReadable(Path file) {
    if (!Files.isRegularFile(file) || !Files.isReadable(file)) {
      throw SyncGuardException.invalidArgument("The file " + file + " cannot be read");
    }
  }

  private static void checkTrusted(Path file) {
    try {
      SslContextBuilder.forClient().trustManager(file.toFile());
    } catch (IllegalArgumentException e) {
      throw SyncGuardException.invalidArgument(
          "The file " + file + " (sslrootcert) has no certificates in PEM form");
    }
  }

  private static void checkOwn(Path certificate, Path key) {
    try {
      SslContextBuilder.forClient().keyManager(certificate.toFile(), key.toFile());
    } catch (IllegalArgumentException e) {
      throw SyncGuardException.invalidArgument(
          "Either the file "
              + certificate
              + " (sslcert) has no certificates in PEM form, or the file "
              + key
              + " (sslkey) has no private key in PEM form, as PKCS #8 and without a passphrase"
              + " (it begins with BEGIN PRIVATE KEY)");
    }
  }
}
