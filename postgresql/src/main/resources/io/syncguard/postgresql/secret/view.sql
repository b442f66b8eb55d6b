-- Counts a view and reveals the payload; setup.sql says how.
--
-- :id
-- :proof  the hash of what the viewer derived from its key; empty if it has none
--
-- Returns proven, whether that is the secret's own; views_left, payload, both null if not, or if the secret is damaged,
-- which then stays as it is; no row if there is none

SELECT proven, views_left, payload FROM {view_secret}(:id, :proof) WHERE known
