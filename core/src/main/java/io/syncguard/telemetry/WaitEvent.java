package io.syncguard.telemetry;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A wait for a lock, a permit or a rate limiter that is over: of each call of a verb that waits,
 * however short the wait was.
 *
 * @param subject what was waited for
 * @param result whether it was granted
 * @param errorCode why not: ACQUISITION_TIMEOUT if the time was over, ABORTED if the wait was
 *     called off, or with what the store failed
 * @param elapsed how long the wait took
 */
public record WaitEvent(
    EventSubject subject,
    Result result,
    SyncGuardException.@Nullable Code errorCode,
    Duration elapsed)
    implements Event {}
