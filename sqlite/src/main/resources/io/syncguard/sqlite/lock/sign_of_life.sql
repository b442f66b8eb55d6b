-- Notes that a process with waiters lives, once a sixth of its time is over. A part of other scripts.
--
-- :process
-- :now_ms

INSERT INTO syncguard_processes (process, alive_until_ms)
SELECT :process, :now_ms + {alive_ms}
WHERE EXISTS (SELECT 1 FROM syncguard_waiters WHERE process = :process)
ON CONFLICT (process) DO UPDATE SET alive_until_ms = excluded.alive_until_ms
WHERE alive_until_ms NOT BETWEEN :now_ms + {alive_ms} * 5 / 6 AND :now_ms + {alive_ms}
