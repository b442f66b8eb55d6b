-- Removes a batch of secrets that have expired, but no row that another client has locked. The clock is read in a separate
-- query, or no index could be used.
--
-- :batch  how many at the most
--
-- Returns swept, their number

WITH expired AS (
  DELETE FROM {secrets} WHERE id = ANY (ARRAY(
    SELECT id FROM {secrets} WHERE expires_at_ms <= (SELECT {now_ms}) LIMIT :batch FOR UPDATE SKIP LOCKED
  ))
  RETURNING id
),
removed AS (
  DELETE FROM {payloads} WHERE id = ANY (ARRAY(SELECT id FROM expired))
)
SELECT count(*) AS swept FROM expired
