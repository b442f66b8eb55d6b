-- Frees the lock if it has this id, and tells its waiters; setup.sql says how.
--
-- :lock_id
-- :key      its storage key; empty if only the id is known
--
-- Returns expires_at_ms, now_ms; no row if there is no such lock

SELECT expires_at_ms, now_ms FROM {release}(:lock_id, :key) WHERE expires_at_ms IS NOT NULL
