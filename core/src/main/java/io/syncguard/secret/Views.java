package io.syncguard.secret;

import io.syncguard.SyncGuardException;

/**
 * How often a secret can be viewed.
 *
 * @param count from 1 to {@link #MOST}
 */
public record Views(int count) {

  /** The most views that a secret can have. */
  public static final int MOST = 1_000_000;

  /** Refuses what is not from 1 to {@link #MOST}. */
  public Views {
    if (count < 1 || count > MOST) {
      throw SyncGuardException.invalidArgument(
          "A secret has from 1 to " + MOST + " views, not " + count);
    }
  }

  /**
   * Returns so many views.
   *
   * @throws SyncGuardException with code INVALID_ARGUMENT unless it is from 1 to {@link #MOST}
   */
  public static Views of(int count) {
    return new Views(count);
  }
}
