-- Grants each key that has a queue and no live lock to the first waiter whose process lives, unless there is no next fence,
-- which is found as in acquire.sql. A part of other scripts.
--
-- :keys    storage keys, a JSON array
-- :leaving the id of a lock or a waiter that is about to be gone and does not count; empty for none
-- :now_ms

INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
SELECT key, lock_id, :now_ms + {grant_ms}, :now_ms, printf('%015d', last_fence + 1), key
FROM (
  SELECT w.key, w.lock_id, max(
    coalesce(c.fence, 0),
    CASE WHEN length(l.fence) = 15 AND l.fence NOT GLOB '*[^0-9]*' THEN CAST(l.fence AS INTEGER) ELSE 0 END
  ) AS last_fence
  FROM json_each(:keys) k
  CROSS JOIN syncguard_waiters w ON w.key = k.value AND w.ticket = (
    SELECT q.ticket FROM syncguard_waiters q
    WHERE q.key = k.value AND q.lock_id <> :leaving AND EXISTS (
      SELECT 1 FROM syncguard_processes p WHERE p.process = q.process AND p.alive_until_ms >= :now_ms
    )
    ORDER BY q.ticket LIMIT 1
  )
  LEFT JOIN syncguard_locks l ON l.key = k.value
  LEFT JOIN syncguard_fence_counters c ON c.fence_key = 'fence:' || k.value
  WHERE coalesce(l.expires_at_ms <= :now_ms - {tolerance_ms} OR l.lock_id = :leaving, 1) AND coalesce(c.fence, 0) >= 0
)
WHERE last_fence < {max_fence}
ON CONFLICT (key) DO UPDATE SET
  lock_id = excluded.lock_id,
  expires_at_ms = excluded.expires_at_ms,
  acquired_at_ms = excluded.acquired_at_ms,
  fence = excluded.fence,
  user_key = excluded.user_key;

-- A live lock under the id of a waiter is a grant that was made just now.

INSERT INTO syncguard_fence_counters (fence_key, fence, key_debug)
SELECT 'fence:' || l.key, CAST(l.fence AS INTEGER), l.user_key
FROM json_each(:keys) k
CROSS JOIN syncguard_locks l ON l.key = k.value AND l.expires_at_ms > :now_ms - {tolerance_ms}
CROSS JOIN syncguard_waiters w ON w.lock_id = l.lock_id AND +w.key = k.value
WHERE true
ON CONFLICT (fence_key) DO UPDATE SET fence = excluded.fence WHERE excluded.fence > fence;

-- All waiters before it are dead.

DELETE FROM syncguard_waiters WHERE (key, ticket) IN (
  SELECT dead.key, dead.ticket
  FROM json_each(:keys) k
  CROSS JOIN syncguard_locks l ON l.key = k.value AND l.expires_at_ms > :now_ms - {tolerance_ms}
  CROSS JOIN syncguard_waiters w ON w.lock_id = l.lock_id AND +w.key = k.value
  CROSS JOIN syncguard_waiters dead ON dead.key = w.key AND dead.ticket <= w.ticket
)
