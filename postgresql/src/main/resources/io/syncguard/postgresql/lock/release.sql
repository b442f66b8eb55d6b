-- Frees the lock if it has this id, or gives up its place in the queue, and grants what is free then; setup.sql says how.
--
-- :lock_id
-- :key      its storage key; empty if only the id is known
-- :process  the process that asks
--
-- Returns expires_at_ms (null: no lock had this id), now_ms, left_queue (1: it had a place); granted_id, granted_fence and
-- granted_until_ms (null: no waiter of this process was granted the lock); no row if there is none of all this

SELECT expires_at_ms, now_ms, left_queue, granted_id, granted_fence, granted_until_ms
FROM {release}(:lock_id, :key, :process) WHERE expires_at_ms IS NOT NULL OR left_queue = 1 OR granted_id IS NOT NULL
