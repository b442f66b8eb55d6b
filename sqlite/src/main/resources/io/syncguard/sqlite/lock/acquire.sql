-- Takes the lock if it is free, and answers with the lock that is there in the end: this one, or another's. The fence is
-- greater than the counter and than that of an expired row, which may be all that is left of a lost counter.
--
-- :key       the lock's storage key
-- :fence_key the storage key of its fence counter
-- :user_key  the key as the user knows it
-- :lock_id   the new lock's id; if it is there already, the reply to an earlier attempt was lost
-- :ttl_ms    how long it lives
-- :now_ms    read after the transaction has become the only one that writes
--
-- Returns one row: lock_id, expires_at_ms, fence (null if there is no lock), now_ms, counted (0: no fence was counted,
-- because the lock is held or because the counter is used up or damaged)

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
)
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

SELECT lock_id, expires_at_ms, fence, :now_ms AS now_ms, changes() AS counted
FROM (SELECT 1) LEFT JOIN syncguard_locks ON key = :key
