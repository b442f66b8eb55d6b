package io.syncguard.telemetry;

import io.syncguard.SyncGuardException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One operation on a store, or one that ended before the store was asked.
 *
 * @param subject what it was about
 * @param operation which operation, such as {@code acquire}; for locks the names that SyncGuard
 *     clients in every language use
 * @param result whether it did what was asked
 * @param reason why it did not
 * @param errorCode with what it failed, if it threw
 * @param elapsed how long it took
 * @param ids how many ids it was about: more than one for a heartbeat, 0 for a look at a name
 */
public record OperationEvent(
    EventSubject subject,
    String operation,
    Result result,
    @Nullable Reason reason,
    SyncGuardException.@Nullable Code errorCode,
    Duration elapsed,
    int ids)
    implements Event {}
