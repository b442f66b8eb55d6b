-- Forgets a batch of limiters that have been idle for a while, but no row that another client has locked.
--
-- :batch  how many at the most
--
-- Returns swept, their number

WITH idle AS (
  DELETE FROM {limiters} WHERE name = ANY (ARRAY(
    SELECT name FROM {limiters} WHERE expires_at_ms <= (SELECT {now_ms}) LIMIT :batch FOR UPDATE SKIP LOCKED
  ))
  RETURNING 1
)
SELECT count(*) AS swept FROM idle
