package io.syncguard.testkit.process;

import io.syncguard.testkit.history.History;

/**
 * What came of a {@link ProcessContention}.
 *
 * @param history all holds that were recorded; yet to be checked
 * @param acquisitions how often the lock was taken
 * @param kills how many processes were killed
 * @param killsWhileHolding how many of them held the lock
 * @param stalled how many holds prove nothing, because their process was held up beyond its lease
 * @param workers how many processes took the lock at least once
 */
public record ContentionResult(
    History history,
    int acquisitions,
    int kills,
    int killsWhileHolding,
    int stalled,
    int workers) {}
