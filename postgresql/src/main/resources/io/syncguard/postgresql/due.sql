-- Tells whether there is anything to sweep: secrets as soon as they have expired, all else a while after. Only reads. The
-- least is found by the index, whatever the planner knows of the tables.
--
-- :keep_ms  how long all else is kept
--
-- Returns due

SELECT
  coalesce((SELECT min(expires_at_ms) FROM {secrets}) <= clock.now_ms, false)
  OR coalesce((SELECT min(expires_at_ms) FROM {locks}) < clock.now_ms - clock.keep_ms, false)
  OR EXISTS (SELECT FROM {processes} WHERE alive_until_ms < clock.now_ms - clock.keep_ms)
  OR coalesce((SELECT min(resets_at_ms) FROM {counters}) <= clock.now_ms - clock.keep_ms, false)
  OR coalesce((SELECT min(expires_at_ms) FROM {limiters}) <= clock.now_ms, false)
  OR coalesce((SELECT min(due_ms) FROM {semaphores}) < clock.now_ms - clock.keep_ms, false) AS due
FROM (SELECT {now_ms} AS now_ms, :keep_ms::bigint AS keep_ms) clock
