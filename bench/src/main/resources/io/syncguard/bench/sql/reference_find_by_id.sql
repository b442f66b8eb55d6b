SELECT key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key FROM reference_locks WHERE lock_id = ? FOR UPDATE
