-- Stores a secret.
--
-- :id
-- :payload  any bytes
-- :views    how often it can be viewed
-- :ttl_ms   how long it lives
--
-- Returns expires_at_ms

WITH secret AS (
  INSERT INTO {secrets} (id, views, expires_at_ms) VALUES (:id, :views, {now_ms} + :ttl_ms) RETURNING expires_at_ms
),
payload AS (
  INSERT INTO {payloads} (id, payload) VALUES (:id, :payload)
)
SELECT expires_at_ms FROM secret
