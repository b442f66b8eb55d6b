-- Finds the locks that were granted to waiters that have not confirmed it.
--
-- :now_ms
--
-- Returns a row for each: lock_id, fence, expires_at_ms

SELECT lock_id, fence, expires_at_ms FROM syncguard_locks INDEXED BY syncguard_locks_granted
WHERE expires_at_ms - acquired_at_ms = {grant_ms} AND expires_at_ms > :now_ms - {tolerance_ms}
