-- Lets the lock live longer if it has this id and is alive. Follows lock_key_of_id, and lock_row, so that its clock
-- is read after the row is locked.
--
-- :lock_id
-- :ttl_ms  how long it lives from now on
--
-- Returns extended_to_ms, null if it had expired; no row if there is no such lock

WITH found AS MATERIALIZED (
  SELECT key, expires_at_ms, {now_ms} AS now_ms FROM {locks} WHERE lock_id = :lock_id
),
extended AS (
  UPDATE {locks} AS held SET expires_at_ms = found.now_ms + :ttl_ms
  FROM found
  WHERE held.key = found.key AND found.expires_at_ms > found.now_ms - {tolerance_ms}
  RETURNING held.expires_at_ms
)
SELECT (SELECT expires_at_ms FROM extended) AS extended_to_ms FROM found
