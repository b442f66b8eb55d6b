DELETE FROM reference_locks WHERE lock_id = ?
