package io.syncguard.spi;

import io.syncguard.secret.SecretId;
import io.syncguard.secret.Views;
import java.time.Duration;

/** A secret to be stored; {@code toString} does not reveal it. */
public final class NewSecret {

  private final SecretId id;
  private final byte[] payload;
  private final Views views;
  private final Duration ttl;

  /**
   * A secret to be stored.
   *
   * @param id what it will be found by, which no other secret has
   * @param payload any bytes, also none; nobody changes them any more
   * @param views how often it can be viewed
   * @param ttl how long it lives; whole milliseconds, at least one
   */
  public NewSecret(SecretId id, byte[] payload, Views views, Duration ttl) {
    this.id = id;
    this.payload = payload;
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
