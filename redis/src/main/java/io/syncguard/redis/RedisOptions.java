package io.syncguard.redis;

import io.syncguard.SyncGuardException;
import io.syncguard.redis.connection.RedisTls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.Normalizer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** How a {@link RedisStore} behaves. Immutable; start from {@link #defaults()}. */
public final class RedisOptions {

  /** What SyncGuard's keys begin with by default. */
  public static final String DEFAULT_KEY_PREFIX = "syncguard";

  /** What a semaphore's keys begin with by default. */
  public static final String DEFAULT_SEMAPHORE_NAMESPACE = "adv-sem";

  /** How long a command may take by default. */
  public static final Duration DEFAULT_COMMAND_TIMEOUT = Duration.ofSeconds(2);

  private static final int LONGEST_PREFIX_BYTES = 200;
  private static final List<String> RESERVED_SEGMENTS = List.of("fence", "id");
  private static final RedisOptions DEFAULTS =
      new RedisOptions(
          DEFAULT_KEY_PREFIX,
          DEFAULT_SEMAPHORE_NAMESPACE,
          Fences.COUNTED,
          Releases.GRANT,
          false,
          DEFAULT_COMMAND_TIMEOUT,
          RedisTls.OF_THE_JVM);

  /** Where fences come from. */
  public enum Fences {
    /** From a counter, one by one. If Redis loses the counter, fences begin again at 1. */
    COUNTED,
    /**
     * From a counter that is never behind the server's clock in milliseconds, so that fences go on
     * increasing after the counter was lost, as long as a key is not acquired more than 1000 times
     * per second.
     */
    SURVIVE_DATA_LOSS
  }

  /** What a release does for the first waiter in a lock's queue. */
  public enum Releases {
    /** The lock is the waiter's from that moment on. */
    GRANT,
    /**
     * The lock becomes free, and the waiter is told so: no other waiter may take it, but a client
     * that does not know the queue may. For locks that are shared with clients in other languages,
     * which are not served otherwise while there are waiters.
     */
    TELL
  }

  private final String keyPrefix;
  private final String semaphoreNamespace;
  private final Fences fences;
  private final Releases releases;
  private final boolean cleanupInIsLocked;
  private final Duration commandTimeout;
  private final RedisTls tls;

  private RedisOptions(
      String keyPrefix,
      String semaphoreNamespace,
      Fences fences,
      Releases releases,
      boolean cleanupInIsLocked,
      Duration commandTimeout,
      RedisTls tls) {
    this.keyPrefix = keyPrefix;
    this.semaphoreNamespace = semaphoreNamespace;
    this.fences = fences;
    this.releases = releases;
    this.cleanupInIsLocked = cleanupInIsLocked;
    this.commandTimeout = commandTimeout;
    this.tls = tls;
  }

  /**
   * Returns: prefix {@code syncguard}, counted fences, releases that grant, no cleanup, 2 s for a
   * command.
   */
  public static RedisOptions defaults() {
    return DEFAULTS;
  }

  /**
   * Returns these options with another prefix: at most 200 bytes, in NFC, no braces, and no part
   * between colons that is {@code id} or {@code fence}, which are SyncGuard's own. Clients in other
   * languages take a prefix as it is, and would not share locks under another form than NFC.
   */
  public RedisOptions withKeyPrefix(String keyPrefix) {
    String prefix = withoutTrailingColons(keyPrefix);
    checkForm("A key prefix", prefix);
    if (containsAny(prefix, "{}\0")) {
      throw SyncGuardException.invalidArgument("A key prefix must not contain braces or NUL");
    }
    if (Arrays.stream(prefix.split(":", -1)).anyMatch(RESERVED_SEGMENTS::contains)) {
      throw SyncGuardException.invalidArgument(
          "A key prefix must not have a part 'id' or 'fence': SyncGuard's own keys are named so");
    }
    return new RedisOptions(
        prefix, semaphoreNamespace, fences, releases, cleanupInIsLocked, commandTimeout, tls);
  }

  /**
   * Returns these options with another namespace for semaphores: at most 200 bytes, in NFC, without
   * braces, NUL, and what has a meaning in a pattern of keys: {@code * ? [ ] \}. Clients share
   * semaphores only within a namespace.
   */
  public RedisOptions withSemaphoreNamespace(String namespace) {
    String name = withoutTrailingColons(namespace);
    checkForm("A semaphore namespace", name);
    if (containsAny(name, "{}\0*?[]\\")) {
      throw SyncGuardException.invalidArgument(
          "A semaphore namespace must not contain braces, NUL or any of * ? [ ] \\");
    }
    return new RedisOptions(
        keyPrefix, name, fences, releases, cleanupInIsLocked, commandTimeout, tls);
  }

  private static void checkForm(String what, String prefix) {
    if (prefix.isEmpty()) {
      throw SyncGuardException.invalidArgument(what + " must not be empty");
    }
    if (prefix.getBytes(StandardCharsets.UTF_8).length > LONGEST_PREFIX_BYTES) {
      throw SyncGuardException.invalidArgument(
          what + " has at most " + LONGEST_PREFIX_BYTES + " bytes in UTF-8");
    }
    if (!Normalizer.isNormalized(prefix, Normalizer.Form.NFC)) {
      throw SyncGuardException.invalidArgument(
          what
              + " must be in Unicode's form NFC: clients in other languages take it as it is, and"
              + " would not share locks and semaphores with this one");
    }
  }

  private static boolean containsAny(String text, String characters) {
    return text.chars().anyMatch(character -> characters.indexOf(character) >= 0);
  }

  private static String withoutTrailingColons(String prefix) {
    int end = prefix.length();
    while (end > 0 && prefix.charAt(end - 1) == ':') {
      end--;
    }
    return prefix.substring(0, end);
  }

  /** Returns these options with fences from elsewhere. */
  public RedisOptions withFences(Fences fences) {
    return new RedisOptions(
        keyPrefix, semaphoreNamespace, fences, releases, cleanupInIsLocked, commandTimeout, tls);
  }

  /** Returns these options with releases that do otherwise for the waiters of this store. */
  public RedisOptions withReleases(Releases releases) {
    return new RedisOptions(
        keyPrefix, semaphoreNamespace, fences, releases, cleanupInIsLocked, commandTimeout, tls);
  }

  /**
   * Returns these options with {@code isLocked} deleting, now and then and in the background, a
   * lock that expired more than two seconds ago. Redis itself deletes it some seconds later.
   */
  public RedisOptions withCleanupInIsLocked(boolean cleanupInIsLocked) {
    return new RedisOptions(
        keyPrefix, semaphoreNamespace, fences, releases, cleanupInIsLocked, commandTimeout, tls);
  }

  /**
   * Returns these options with another time for a command, after which it fails with
   * NETWORK_TIMEOUT.
   */
  public RedisOptions withCommandTimeout(Duration commandTimeout) {
    if (commandTimeout.compareTo(Duration.ofMillis(1)) < 0) {
      throw SyncGuardException.invalidArgument(
          "The command timeout is at least 1 ms, not " + commandTimeout);
    }
    return new RedisOptions(
        keyPrefix, semaphoreNamespace, fences, releases, cleanupInIsLocked, commandTimeout, tls);
  }

  /**
   * Returns these options with the certificates of the CAs to trust, instead of the CAs that the
   * JVM trusts, for a URI with TLS that the store connects to. The file is read for each
   * connection.
   *
   * @param pem certificates in PEM form
   */
  public RedisOptions withTrustedCertificates(Path pem) {
    return withTls(tls.withTrusted(pem));
  }

  /**
   * Returns these options with a certificate to show to a Redis that asks clients for one, for a
   * URI with TLS that the store connects to. The files are read for each connection.
   *
   * @param pem the certificate, followed by the certificates between it and the CA, in PEM form
   * @param key its private key in PEM form, as PKCS #8 and without a passphrase
   */
  public RedisOptions withClientCertificate(Path pem, Path key) {
    return withTls(tls.withCertificate(pem).withKey(key));
  }

  RedisOptions withTls(RedisTls tls) {
    return new RedisOptions(
        keyPrefix, semaphoreNamespace, fences, releases, cleanupInIsLocked, commandTimeout, tls);
  }

  RedisTls tls() {
    return tls;
  }

  /** Returns what SyncGuard's keys begin with. */
  public String keyPrefix() {
    return keyPrefix;
  }

  /** Returns what a semaphore's keys begin with. */
  public String semaphoreNamespace() {
    return semaphoreNamespace;
  }

  /** Returns where fences come from. */
  public Fences fences() {
    return fences;
  }

  /** Returns what a release does for this store's waiters. */
  public Releases releases() {
    return releases;
  }

  /** Returns whether {@code isLocked} cleans up. */
  public boolean cleanupInIsLocked() {
    return cleanupInIsLocked;
  }

  /** Returns how long a command may take. */
  public Duration commandTimeout() {
    return commandTimeout;
  }
}
