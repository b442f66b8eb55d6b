-- Frees the lock if it has this id, and tells who waits for it; setup.sql says how.
--
-- :lock_id
--
-- Returns expires_at_ms, now_ms; no row if there is no such lock

SELECT expires_at_ms, now_ms FROM {release}(:lock_id) WHERE expires_at_ms IS NOT NULL
