-- Takes the lock if it is free, or takes a place in its queue. Each step is tried if the one before has no answer; most calls
-- need the first alone.
--
-- :key       the lock's storage key
-- :fence_key the storage key of its fence counter
-- :user_key  the key as the user knows it
-- :lock_id   the new lock's id; if it is there already, it was granted, or the reply to an earlier attempt was lost
-- :ttl_ms    how long it lives
-- :waits     1 to wait in the queue, 0 not to
-- :process   the process that asks
-- :now_ms    read after the transaction has become the only one that writes
--
-- Returns the live lock that is there in the end, this one or another's: lock_id, expires_at_ms, fence (all null if there is
-- none, because the counter is used up or damaged), now_ms, counted (0), ticket (null: no place in the queue)

-- There is no queue, and the caller does not wait or need not. The fence is greater than the counter and than that of an
-- expired row, which may be all that is left of a lost counter.

INSERT INTO syncguard_fence_counters (fence_key, fence, key_debug)
SELECT :fence_key, last_fence + 1, :user_key
FROM (
  SELECT coalesce((
    SELECT CAST(fence AS INTEGER) FROM syncguard_locks
    WHERE key = :key AND length(fence) = 15 AND fence NOT GLOB '*[^0-9]*'
  ), 0) AS last_fence
)
WHERE last_fence < {max_fence} AND NOT EXISTS (
  SELECT 1 FROM syncguard_locks WHERE key = :key AND expires_at_ms > :now_ms - {tolerance_ms}
) AND NOT EXISTS (SELECT 1 FROM syncguard_waiters WHERE key = :key)
ON CONFLICT (fence_key) DO UPDATE SET fence = max(fence + 1, excluded.fence) WHERE fence >= 0 AND fence < {max_fence};

INSERT INTO syncguard_locks (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
SELECT :key, :lock_id, :now_ms + :ttl_ms, :now_ms, printf('%015d', fence), :user_key
FROM syncguard_fence_counters
WHERE fence_key = :fence_key AND changes() > 0
ON CONFLICT (key) DO UPDATE SET
  lock_id = excluded.lock_id,
  expires_at_ms = excluded.expires_at_ms,
  acquired_at_ms = excluded.acquired_at_ms,
  fence = excluded.fence,
  user_key = excluded.user_key;

SELECT lock_id, expires_at_ms, fence, :now_ms AS now_ms, 0 AS counted, NULL AS ticket
FROM syncguard_locks
WHERE key = :key AND expires_at_ms > :now_ms - {tolerance_ms} AND CASE
  WHEN lock_id = :lock_id THEN expires_at_ms <> acquired_at_ms + {grant_ms} OR expires_at_ms = :now_ms + :ttl_ms
  ELSE :waits = 0 AND NOT EXISTS (SELECT 1 FROM syncguard_waiters WHERE lock_id = :lock_id)
END;

-- otherwise RELAXED_WRITE
-- Another client holds the lock: the caller takes a place or leaves it. A crash may undo who waits.

SELECT count(*) AS held, count(*) * :waits AS joins FROM syncguard_locks
WHERE key = :key AND lock_id <> :lock_id AND expires_at_ms > :now_ms - {tolerance_ms};

{join};

DELETE FROM syncguard_waiters WHERE lock_id = :lock_id AND +key = :key AND :held = 1 AND :waits = 0;

{sign_of_life};

SELECT l.lock_id, l.expires_at_ms, l.fence, :now_ms AS now_ms, 0 AS counted, w.ticket
FROM syncguard_locks l LEFT JOIN syncguard_waiters w ON w.lock_id = :lock_id AND +w.key = l.key
WHERE l.key = :key AND :held = 1;

-- otherwise WRITE
-- The first in the queue is granted the lock, which may be the caller, who is last; a caller with the lock confirms it.

SELECT count(*) = 0 AS joins, json_array(:key) AS keys, '' AS leaving FROM syncguard_locks
WHERE key = :key AND lock_id = :lock_id AND expires_at_ms > :now_ms - {tolerance_ms};

{join};

{sign_of_life};

{grant};

UPDATE syncguard_locks SET expires_at_ms = :now_ms + :ttl_ms
WHERE key = :key AND lock_id = :lock_id AND expires_at_ms > :now_ms - {tolerance_ms}
  AND expires_at_ms - acquired_at_ms = {grant_ms};

DELETE FROM syncguard_waiters WHERE lock_id = :lock_id AND +key = :key AND :waits = 0;

SELECT l.lock_id, l.expires_at_ms, l.fence, :now_ms AS now_ms, 0 AS counted, w.ticket
FROM (SELECT 1)
LEFT JOIN syncguard_locks l ON l.key = :key AND l.expires_at_ms > :now_ms - {tolerance_ms}
LEFT JOIN syncguard_waiters w ON w.lock_id = :lock_id AND +w.key = l.key
