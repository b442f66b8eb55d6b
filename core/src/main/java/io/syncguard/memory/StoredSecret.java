package io.syncguard.memory;

import io.syncguard.secret.SecretInfo;
import io.syncguard.spi.ProofHash;
import java.time.Instant;

/** A secret and what is left of it. Immutable, but for the payload, which nobody changes. */
final class StoredSecret {

  private final byte[] payload;
  private final ProofHash proofHash;
  private final int views;
  private final long expiresAtMs;

  StoredSecret(byte[] payload, ProofHash proofHash, int views, long expiresAtMs) {
    this.payload = payload;
    this.proofHash = proofHash;
    this.views = views;
    this.expiresAtMs = expiresAtMs;
  }

  byte[] payload() {
    return payload;
  }

  int views() {
    return views;
  }

  boolean isProvenBy(ProofHash presented) {
    return proofHash.equals(presented);
  }

  boolean isOverAt(long nowMs) {
    return nowMs >= expiresAtMs;
  }

  StoredSecret viewedOnce() {
    return new StoredSecret(payload, proofHash, views - 1, expiresAtMs);
  }

  SecretInfo info() {
    return new SecretInfo(views, Instant.ofEpochMilli(expiresAtMs));
  }
}
