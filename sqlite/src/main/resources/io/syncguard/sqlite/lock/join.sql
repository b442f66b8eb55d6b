-- Gives a caller without a place the last place in the queue. A part of other scripts.
--
-- :joins   1 to do so
-- :key, :lock_id, :process, :now_ms

INSERT INTO syncguard_waiters (key, ticket, lock_id, process)
SELECT
  :key,
  max(coalesce((SELECT max(ticket) + 1 FROM syncguard_waiters WHERE key = :key), 0), :now_ms * 1000),
  :lock_id,
  :process
WHERE :joins = 1 AND NOT EXISTS (SELECT 1 FROM syncguard_waiters WHERE lock_id = :lock_id AND +key = :key)
