-- Takes the lock if it is free; setup.sql says how.
--
-- :key       the lock's storage key
-- :fence_key the storage key of its fence counter
-- :user_key  the key as the user knows it
-- :lock_id   the new lock's id; if it is there already, the reply to an earlier attempt was lost
-- :ttl_ms    how long it lives
-- :channel   where to tell of the lock's release if another client holds it; empty for nowhere
--
-- Returns one row: lock_id, expires_at_ms, fence (null if there is no lock), now_ms, counted (0 or null: no fence was
-- counted, because the lock is held or because the counter is used up or damaged)

SELECT lock_id, expires_at_ms, fence, now_ms, counted
FROM {acquire}(:key, :fence_key, :user_key, :lock_id, :ttl_ms, :channel)
