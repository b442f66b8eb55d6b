package io.syncguard.redis.semaphore;

import io.syncguard.spi.semaphore.PermitAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a script tells of a grant, in the same step: on the channel of the waiter's process, or in
 * the answer to a release by that process.
 *
 * @param member the waiter, as it is called in the sorted sets
 * @param slot how many slots are taken with it
 * @param grantedAt by the server's clock
 */
record GrantNotice(String member, int slot, Instant grantedAt) {

  private static final Pattern TEXT = Pattern.compile("(\\S+) (\\d{1,9}) (\\d{1,15})");

  /** Returns what the scripts' text says; empty if it is none of theirs. */
  static Optional<GrantNotice> of(String text) {
    Matcher fields = TEXT.matcher(text);
    if (!fields.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new GrantNotice(
            fields.group(1),
            Integer.parseInt(fields.group(2)),
            Instant.ofEpochMilli(Long.parseLong(fields.group(3)))));
  }

  /** Returns what the waiter has; confirmed, it expires then or later. */
  PermitAttempt.Held heldFor(Duration ttl) {
    return new PermitAttempt.Held(slot, grantedAt.plus(ttl));
  }
}
