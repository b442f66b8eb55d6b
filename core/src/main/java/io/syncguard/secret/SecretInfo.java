package io.syncguard.secret;

import java.time.Instant;

/**
 * What can be told of a secret without revealing it.
 *
 * @param remaining how many views are left, at least 1
 * @param expiresAt when it expires, by the store's clock; {@link Instant#MAX} if somebody took its
 *     expiry away in the store
 */
public record SecretInfo(int remaining, Instant expiresAt) {}
