-- Frees the lock if it has this id, and tells the processes that wait for it. Follows lock_key_of_id.
-- The commit is not flushed: if a crash undoes it, the lock stays until it expires, and nobody holds it twice.
--
-- :lock_id
--
-- Returns expires_at_ms, now_ms; no row if there is no such lock

WITH released AS (
  DELETE FROM {locks} WHERE lock_id = :lock_id RETURNING key, expires_at_ms
),
told AS (
  DELETE FROM {waiters} AS waiter USING released WHERE waiter.key = released.key
  RETURNING waiter.channel, waiter.key
)
SELECT expires_at_ms, {now_ms} AS now_ms, set_config('synchronous_commit', 'off', true) AS commits,
  (SELECT count(*) FROM told, LATERAL pg_notify(told.channel, told.key)) AS told
FROM released
