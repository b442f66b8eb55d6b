SELECT key, expires_at_ms, (extract(epoch FROM clock_timestamp()) * 1000)::bigint
FROM reference_locks WHERE lock_id = ? FOR UPDATE
