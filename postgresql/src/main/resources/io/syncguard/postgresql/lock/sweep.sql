-- Forgets a batch of locks that expired so long ago that no holder is owed an answer, and processes and queues that are long
-- gone, but nothing that another client has locked: a sweep that never waits is in no deadlock.
--
-- :keep_ms  how long an expired lock, and a dead process, is kept
-- :batch    how many locks and queues at the most
--
-- Returns swept, the number of locks and queues

WITH swept AS (
  DELETE FROM {locks} WHERE key = ANY (ARRAY(
    SELECT key FROM {locks} WHERE expires_at_ms < (SELECT {now_ms}) - :keep_ms LIMIT :batch FOR UPDATE SKIP LOCKED
  ))
  RETURNING 1
)
SELECT (SELECT count(*) FROM swept) + {sweep_queues}(:keep_ms, :batch) AS swept
