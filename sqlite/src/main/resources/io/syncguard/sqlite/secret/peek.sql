-- Tells what is left of a secret. Only reads.
--
-- :id
-- :now_ms
--
-- Returns views, expires_at_ms, now_ms; no row if there is no such secret

SELECT views, expires_at_ms, :now_ms AS now_ms FROM syncguard_secrets WHERE id = :id
