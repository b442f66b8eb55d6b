package io.syncguard.memory;

import io.syncguard.secret.SecretInfo;
import java.time.Instant;

/** A secret and what is left of it. Immutable, but for the payload, which nobody changes. */
final class StoredSecret {

  private final byte[] payload;
  private final int views;
  private final long expiresAtMs;

  StoredSecret(byte[] payload, int views, long expiresAtMs) {
    this.payload = payload;
    this.views = views;
    this.expiresAtMs = expiresAtMs;
  }

  byte[] payload() {
    return payload;
  }

  int views() {
    return views;
  }

  boolean isOverAt(long nowMs) {
    return nowMs >= expiresAtMs;
  }

  StoredSecret viewedOnce() {
    return new StoredSecret(payload, views - 1, expiresAtMs);
  }

  SecretInfo info() {
    return new SecretInfo(views, Instant.ofEpochMilli(expiresAtMs));
  }
}
