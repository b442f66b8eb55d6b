-- Frees the lock if it has this id.
--
-- :lock_id
-- :now_ms
--
-- Returns expires_at_ms, now_ms; no row if there is no such lock

DELETE FROM syncguard_locks WHERE lock_id = :lock_id RETURNING expires_at_ms, :now_ms AS now_ms
