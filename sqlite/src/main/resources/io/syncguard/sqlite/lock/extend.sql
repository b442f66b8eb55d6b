-- Lets the lock live longer if it has this id and is alive.
--
-- :lock_id
-- :ttl_ms  how long it lives from now on
-- :now_ms
--
-- Returns extended_to_ms, null if it had expired; no row if there is no such lock

UPDATE syncguard_locks SET expires_at_ms = :now_ms + :ttl_ms
WHERE lock_id = :lock_id AND expires_at_ms > :now_ms - {tolerance_ms};

SELECT CASE WHEN changes() > 0 THEN expires_at_ms END AS extended_to_ms
FROM syncguard_locks WHERE lock_id = :lock_id
