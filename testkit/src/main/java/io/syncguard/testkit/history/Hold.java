package io.syncguard.testkit.history;

import io.syncguard.testkit.history.HandOffHistory.Passage;

/**
 * A slot that a passage must have had since some moment.
 *
 * @param passage whose slot
 * @param from since when, at the latest
 */
record Hold(Passage passage, long from) {}
