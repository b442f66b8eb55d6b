-- Removes a secret; a trigger removes its payload.
--
-- :id
-- :now_ms
--
-- Returns expires_at_ms, now_ms; no row if there was no such secret

DELETE FROM syncguard_secrets WHERE id = :id RETURNING expires_at_ms, :now_ms AS now_ms
