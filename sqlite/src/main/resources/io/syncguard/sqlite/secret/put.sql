-- Stores a secret, unless there is one under its id. What has expired is no secret any more; a trigger removes its payload.
--
-- :id
-- :payload  any bytes
-- :proof    the hash that a view must present; empty if there is no key
-- :views    how often it can be viewed
-- :ttl_ms   how long it lives
-- :now_ms
--
-- Returns expires_at_ms; no row if there is one already

DELETE FROM syncguard_secrets WHERE id = :id AND expires_at_ms <= :now_ms;

INSERT OR REPLACE INTO syncguard_secret_payloads (id, payload)
SELECT :id, :payload WHERE NOT EXISTS (SELECT 1 FROM syncguard_secrets WHERE id = :id);

INSERT INTO syncguard_secrets (id, views, expires_at_ms, proof) VALUES (:id, :views, :now_ms + :ttl_ms, :proof)
ON CONFLICT (id) DO NOTHING RETURNING expires_at_ms
