-- Finds a lock, alive or not.
--
-- :key
-- :now_ms
--
-- Returns user_key, lock_id, expires_at_ms, acquired_at_ms, fence, now_ms; no row if there is no such lock

SELECT user_key, lock_id, expires_at_ms, acquired_at_ms, fence, :now_ms AS now_ms FROM syncguard_locks WHERE key = :key
