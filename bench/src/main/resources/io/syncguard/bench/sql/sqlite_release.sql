DELETE FROM bare_locks WHERE key = ? AND lock_id = ?
