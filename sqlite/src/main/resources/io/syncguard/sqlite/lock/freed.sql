-- Finds the waiters that are first in the queue of a lock that is free, as after a release by a client that does not know of
-- the queue.
--
-- :now_ms
--
-- Returns a row for each: lock_id

WITH RECURSIVE waited (key) AS (
  SELECT min(key) FROM syncguard_waiters
  UNION ALL
  SELECT (SELECT min(w.key) FROM syncguard_waiters w WHERE w.key > waited.key) FROM waited WHERE waited.key IS NOT NULL
)
SELECT (
  SELECT w.lock_id FROM syncguard_waiters w
  WHERE w.key = waited.key AND EXISTS (
    SELECT 1 FROM syncguard_processes p WHERE p.process = w.process AND p.alive_until_ms >= :now_ms
  )
  ORDER BY w.ticket LIMIT 1
) AS lock_id
FROM waited
WHERE NOT EXISTS (
  SELECT 1 FROM syncguard_locks l WHERE l.key = waited.key AND l.expires_at_ms > :now_ms - {tolerance_ms}
)
