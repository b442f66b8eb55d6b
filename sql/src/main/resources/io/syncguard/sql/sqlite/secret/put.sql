-- Stores a secret.
--
-- :id
-- :payload  any bytes
-- :views    how often it can be viewed
-- :ttl_ms   how long it lives
-- :now_ms
--
-- Returns expires_at_ms

INSERT INTO syncguard_secret_payloads (id, payload) VALUES (:id, :payload);

INSERT INTO syncguard_secrets (id, views, expires_at_ms) VALUES (:id, :views, :now_ms + :ttl_ms) RETURNING expires_at_ms
