-- Removes a secret; setup.sql says how.
--
-- :id
--
-- Returns expires_at_ms, now_ms; no row if there was no such secret

SELECT expires_at_ms, now_ms FROM {burn_secret}(:id) WHERE expires_at_ms IS NOT NULL
