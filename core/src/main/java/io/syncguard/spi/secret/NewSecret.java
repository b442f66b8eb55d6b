package io.syncguard.spi.secret;

import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import java.time.Duration;

/** A secret to be stored; {@code toString} does not reveal it. */
public final class NewSecret {

  private final SecretId id;
  private final byte[] payload;
  private final ProofHash proofHash;
  private final Views views;
  private final Duration ttl;

  /**
   * A secret to be stored.
   *
   * @param id what it will be found by
   * @param payload any bytes, also none; not to be changed any more
   * @param proofHash what a view must present
   * @param views how often it can be viewed
   * @param ttl how long it lives; whole milliseconds, at least one
   */
  public NewSecret(SecretId id, byte[] payload, ProofHash proofHash, Views views, Duration ttl) {
    this.id = id;
    this.payload = payload;
    this.proofHash = proofHash;
    this.views = views;
    this.ttl = ttl;
  }

  /** Returns what it will be found by. */
  public SecretId id() {
    return id;
  }

  /** Returns the payload itself, not to be changed. */
  public byte[] payload() {
    return payload;
  }

  /** Returns what a view must present. */
  public ProofHash proofHash() {
    return proofHash;
  }

  /** Returns how often it can be viewed. */
  public Views views() {
    return views;
  }

  /** Returns how long it lives. */
  public Duration ttl() {
    return ttl;
  }

  @Override
  public String toString() {
    return "NewSecret[" + id.hash() + ", " + payload.length + " bytes, " + views + ", " + ttl + "]";
  }
}
