-- Counts a view and reveals the payload; setup.sql says how.
--
-- :id
--
-- Returns views_left, payload; both null if the secret is damaged, which then stays as it is; no row if there is none

SELECT views_left, payload FROM {view_secret}(:id) WHERE known
