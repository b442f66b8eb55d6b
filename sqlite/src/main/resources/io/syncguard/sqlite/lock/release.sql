-- Frees the lock if it has this id, or gives up this place in a queue. Each step is tried if the one before has no answer;
-- most calls need the first alone.
--
-- :lock_id
-- :now_ms
--
-- Returns the lock's expires_at_ms (null if there was none), now_ms, left_queue (1 if a place was given up), and of a grant
-- that this made: granted_id (null if there is none), granted_fence, granted_until_ms

-- No client waits for the lock.

DELETE FROM syncguard_locks
WHERE lock_id = :lock_id AND NOT EXISTS (SELECT 1 FROM syncguard_waiters w WHERE w.key = syncguard_locks.key)
RETURNING expires_at_ms, :now_ms AS now_ms, 0 AS left_queue,
  NULL AS granted_id, NULL AS granted_fence, NULL AS granted_until_ms;

-- otherwise RELAXED_WRITE
-- A place in the queue of a lock that is held.

DELETE FROM syncguard_waiters WHERE lock_id = :lock_id AND EXISTS (
  SELECT 1 FROM syncguard_locks l WHERE l.key = syncguard_waiters.key AND l.expires_at_ms > :now_ms - {tolerance_ms}
);

SELECT changes() AS left_queue;

SELECT NULL AS expires_at_ms, :now_ms AS now_ms, 1 AS left_queue,
  NULL AS granted_id, NULL AS granted_fence, NULL AS granted_until_ms
WHERE :left_queue = 1;

-- otherwise WRITE
-- A lock with a queue, whose first gets it; or a place in a queue whose first should have had it; or nothing.

SELECT
  coalesce(l.expires_at_ms, '') AS was_until_ms,
  w.key IS NOT NULL AS left_queue,
  coalesce(w.key, l.key, '') AS key,
  json_array(coalesce(w.key, l.key, '')) AS keys,
  coalesce((SELECT h.lock_id FROM syncguard_locks h WHERE h.key = coalesce(w.key, l.key)), '') AS holder,
  :lock_id AS leaving
FROM (SELECT 1)
LEFT JOIN syncguard_locks l ON l.lock_id = :lock_id
LEFT JOIN syncguard_waiters w ON w.lock_id = :lock_id;

{grant};

DELETE FROM syncguard_locks WHERE lock_id = :lock_id;

DELETE FROM syncguard_waiters WHERE lock_id = :lock_id;

SELECT nullif(:was_until_ms, '') AS expires_at_ms, :now_ms AS now_ms, :left_queue AS left_queue,
  g.lock_id AS granted_id, g.fence AS granted_fence, g.expires_at_ms AS granted_until_ms
FROM (SELECT 1) LEFT JOIN syncguard_locks g ON g.key = :key AND g.lock_id <> :holder
