-- Lets the lock live longer if it has this id and is alive; setup.sql says how.
--
-- :lock_id
-- :ttl_ms  how long it lives from now on
--
-- Returns extended_to_ms, null if it had expired; no row if there is no such lock

SELECT extended_to_ms FROM {extend}(:lock_id, :ttl_ms) WHERE known
