DELETE FROM reference_locks WHERE key = ?
