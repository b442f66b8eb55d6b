-- Takes the lock if it is free, or a place in its queue; setup.sql says how.
--
-- :key       the lock's storage key
-- :fence_key the storage key of its fence counter
-- :user_key  the key as the user knows it
-- :lock_id   the new lock's id; if it is there already, the reply to an earlier attempt was lost, or it was granted
-- :ttl_ms    how long it lives
-- :waits     1 to wait in the queue, 0 not to
-- :process   the process that waits
-- :channel   where to tell of a grant; empty for nowhere
--
-- Returns one row: lock_id, expires_at_ms, fence (null if there is no lock), now_ms, counted (0 or null: no fence was
-- counted for it, because the lock is held or because the counter is used up or damaged), ticket (null: no place in the queue)

SELECT lock_id, expires_at_ms, fence, now_ms, counted, ticket
FROM {acquire}(:key, :fence_key, :user_key, :lock_id, :ttl_ms, :waits, :process, :channel)
