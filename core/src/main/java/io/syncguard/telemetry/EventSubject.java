package io.syncguard.telemetry;

import io.syncguard.Primitive;
import io.syncguard.Subject;
import org.jspecify.annotations.Nullable;

/**
 * What an event is about.
 *
 * @param primitive which primitive
 * @param nameHash the hash of the lock's or counter's key, or of the semaphore's or rate limiter's
 *     name, if it was about one
 * @param idHash the hash of the id of a lock, a permit or a secret, if it was about one
 * @param name the raw key or name, only where {@link Telemetry} was told to include it
 * @param id the raw id, only where {@link Telemetry} was told to include it
 */
public record EventSubject(
    Primitive primitive,
    @Nullable String nameHash,
    @Nullable String idHash,
    @Nullable String name,
    @Nullable String id) {

  /** Returns the subject by its hashes alone. */
  public static EventSubject of(Primitive primitive, Subject subject) {
    return new EventSubject(primitive, subject.nameHash(), subject.idHash(), null, null);
  }

  /** Returns the same with the raw identifiers. */
  public EventSubject withRaw(Subject subject) {
    return new EventSubject(primitive, nameHash, idHash, subject.name(), subject.id());
  }
}
