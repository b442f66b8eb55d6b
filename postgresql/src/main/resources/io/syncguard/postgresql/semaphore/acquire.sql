-- Gets a slot, confirms one that was granted, or takes a place in the queue; setup.sql says how.
--
-- :name       the semaphore's
-- :id         the permit's; if it is known already, the reply to an earlier attempt was lost or it waits
-- :limit      how many slots there are
-- :ttl_ms     how long the slot may be held
-- :timeout_ms how long the permit counts as alive without a sign of life
-- :waits      1 to wait in the queue, 0 not to
-- :channel    where to tell of a grant; empty for nowhere
--
-- Returns one row: outcome, number, until_ms
--   held, slots taken, expiry
--   waiting, ticket
--   busy
--   limit, the one in use

SELECT outcome, number, until_ms FROM {acquire_permit}(:name, :id, :limit, :ttl_ms, :timeout_ms, :waits, :channel)
