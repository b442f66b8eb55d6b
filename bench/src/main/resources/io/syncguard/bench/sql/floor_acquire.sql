-- Takes the key if it is free or expired. Parameters: key, lock id, lifetime in ms, user's key.
INSERT INTO floor_locks AS held (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
SELECT ?, ?, now_ms + ?, now_ms, '000000000000001', ?
FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock
ON CONFLICT (key) DO UPDATE
SET lock_id = excluded.lock_id,
    expires_at_ms = excluded.expires_at_ms,
    acquired_at_ms = excluded.acquired_at_ms,
    fence = excluded.fence
WHERE held.expires_at_ms <= (extract(epoch FROM clock_timestamp()) * 1000)::bigint - 1000
RETURNING fence, expires_at_ms
