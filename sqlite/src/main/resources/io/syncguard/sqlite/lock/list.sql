-- Finds a batch of locks in the order of their keys, alive or not.
--
-- :after  the last key of the batch before; empty for the first
-- :batch  how many at the most
-- :now_ms
--
-- Returns a row for each: key, user_key, lock_id, expires_at_ms, acquired_at_ms, fence, now_ms

SELECT key, user_key, lock_id, expires_at_ms, acquired_at_ms, fence, :now_ms AS now_ms
FROM syncguard_locks WHERE key > :after ORDER BY key LIMIT :batch
