-- Parameters: key, lock id.
DELETE FROM floor_locks WHERE key = ? AND lock_id = ? RETURNING expires_at_ms
