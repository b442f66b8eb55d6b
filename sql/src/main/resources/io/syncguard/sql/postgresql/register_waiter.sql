-- Leaves word that a process wants to be told when the lock is released, if somebody else holds it. The table is
-- unlogged, so this costs no flush.
--
-- :key      the lock's storage key
-- :lock_id  the id of the lock that the waiter wants to have
-- :channel  the channel that the waiter's process listens on

INSERT INTO {waiters} (key, channel, since_ms)
SELECT key, :channel, {now_ms}
FROM {locks}
WHERE key = :key AND lock_id <> :lock_id AND expires_at_ms > {now_ms} - {tolerance_ms}
ON CONFLICT (key, channel) DO UPDATE SET since_ms = excluded.since_ms
