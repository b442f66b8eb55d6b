package io.syncguard.testkit.process;

import io.syncguard.testkit.history.HandOffHistory;
import java.time.Duration;

/**
 * What came of {@link ProcessHandOffs}.
 *
 * @param history all passages; yet to be checked
 * @param took from when all processes were ready
 */
public record HandOffResult(HandOffHistory history, Duration took) {}
