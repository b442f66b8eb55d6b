-- Tells whether there is anything to sweep: secrets as soon as they have expired, all else a while after. Only reads.
--
-- :keep_ms  how long all else is kept
-- :now_ms
-- :now_ns
--
-- Returns due

SELECT
  coalesce((SELECT min(expires_at_ms) FROM syncguard_secrets) <= :now_ms, 0)
  OR coalesce((SELECT min(expires_at_ms) FROM syncguard_locks) < :now_ms - :keep_ms, 0)
  OR coalesce((SELECT min(alive_until_ms) FROM syncguard_processes) < :now_ms - :keep_ms, 0)
  OR coalesce((SELECT min(resets_at_ms) FROM syncguard_counters) <= :now_ms - :keep_ms, 0)
  OR coalesce((SELECT min(idle_at_ns) FROM syncguard_rate_limiters) <= :now_ns - :keep_ms * 1000000, 0)
  OR EXISTS (
    SELECT 1 FROM syncguard_semaphores s
    WHERE NOT EXISTS (SELECT 1 FROM syncguard_permits p WHERE p.name = s.name AND p.deadline_ms >= :now_ms - :keep_ms)
  ) AS due
