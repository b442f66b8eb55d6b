-- Takes the lock if nobody holds it, and answers with the lock that is there in the end: ours, or another's.
-- Follows lock_key. What looks expired is looked at again, by the clock, once its row is locked, because an extension
-- may be committed meanwhile. A fence that is counted and then not used is a gap, which fences may have.
--
-- :key       the lock's storage key
-- :fence_key the storage key of its fence counter
-- :user_key  the key as the user knows it
-- :lock_id   the new lock's id; if it is there already, the reply to an earlier attempt was lost
-- :ttl_ms    how long it lives
--
-- Returns one row: lock_id, expires_at_ms, fence (null if there is no lock), now_ms, counted (0: no fence was counted,
-- because the lock is held or because the counter is used up or damaged)

WITH present AS MATERIALIZED (
  SELECT lock_id, expires_at_ms, fence FROM {locks} WHERE key = :key
),
counted AS (
  INSERT INTO {fences} AS counter (fence_key, fence, key_debug)
  SELECT :fence_key, 1, :user_key
  WHERE NOT EXISTS (SELECT FROM present WHERE expires_at_ms > {now_ms} - {tolerance_ms})
  ON CONFLICT (fence_key) DO UPDATE SET fence = counter.fence + 1 WHERE counter.fence >= 0 AND counter.fence < {max_fence}
  RETURNING fence
),
taken AS (
  INSERT INTO {locks} AS held (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
  SELECT :key, :lock_id, now_ms + :ttl_ms, now_ms, lpad(fence::text, 15, '0'), :user_key
  FROM counted, (SELECT {now_ms} AS now_ms) clock
  ON CONFLICT (key) DO UPDATE
    SET (lock_id, expires_at_ms, acquired_at_ms, fence, user_key) =
      (SELECT excluded.lock_id, now_ms + :ttl_ms, now_ms, excluded.fence, excluded.user_key
       FROM (SELECT {now_ms} AS now_ms) clock)
    WHERE held.expires_at_ms <= {now_ms} - {tolerance_ms}
  RETURNING lock_id, expires_at_ms, fence
),
outcome AS (
  SELECT * FROM taken
  UNION ALL
  SELECT * FROM present WHERE NOT EXISTS (SELECT FROM taken)
)
SELECT lock_id, expires_at_ms, fence, {now_ms} AS now_ms, (SELECT count(*) FROM counted) AS counted
FROM (SELECT) one LEFT JOIN outcome ON true
