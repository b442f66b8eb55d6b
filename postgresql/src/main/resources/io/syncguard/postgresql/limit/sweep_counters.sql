-- Forgets a batch of windows that are over, but no row that another client has locked.
--
-- :batch  how many at the most
--
-- Returns swept, their number

WITH ended AS (
  DELETE FROM {counters} WHERE key = ANY (ARRAY(
    SELECT key FROM {counters} WHERE resets_at_ms <= (SELECT {now_ms}) LIMIT :batch FOR UPDATE SKIP LOCKED
  ))
  RETURNING 1
)
SELECT count(*) AS swept FROM ended
