package io.syncguard.secret;

import java.time.Instant;

/**
 * What can be told of a secret without revealing it.
 *
 * @param remaining how many views are left, at least 1
 * @param expiresAt when it expires, by the store's clock
 */
public record SecretInfo(int remaining, Instant expiresAt) {}
