-- Forgets a batch of locks that expired so long ago that no holder is owed an answer, and waiters that are long gone, but no
-- row that another client has locked: a sweep that never waits is in no deadlock.
--
-- :keep_ms          how long an expired lock is kept
-- :keep_waiters_ms  how long a waiter is kept that has not asked again
-- :batch            how many locks at the most
--
-- Returns swept, the number of locks

WITH stale_waiters AS (
  DELETE FROM {waiters} WHERE (key, channel) IN (
    SELECT key, channel FROM {waiters} WHERE since_ms < (SELECT {now_ms}) - :keep_waiters_ms FOR UPDATE SKIP LOCKED
  )
),
swept AS (
  DELETE FROM {locks} WHERE key = ANY (ARRAY(
    SELECT key FROM {locks} WHERE expires_at_ms < (SELECT {now_ms}) - :keep_ms LIMIT :batch FOR UPDATE SKIP LOCKED
  ))
  RETURNING 1
)
SELECT count(*) AS swept FROM swept
