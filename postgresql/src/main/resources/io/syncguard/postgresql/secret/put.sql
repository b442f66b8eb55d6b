-- Stores a secret, unless there is one under its id. What has expired is no secret any more.
--
-- :id
-- :payload  any bytes
-- :proof    the hash that a view must present; empty if there is no key
-- :views    how often it can be viewed
-- :ttl_ms   how long it lives
--
-- Returns expires_at_ms; no row if there is one already

WITH secret AS (
  INSERT INTO {secrets} AS s (id, views, expires_at_ms, proof) VALUES (:id, :views, {now_ms} + :ttl_ms, :proof)
  ON CONFLICT (id) DO UPDATE
    SET views = excluded.views, expires_at_ms = excluded.expires_at_ms, proof = excluded.proof
    WHERE s.expires_at_ms <= {now_ms}
  RETURNING id, expires_at_ms
),
payload AS (
  INSERT INTO {payloads} (id, payload) SELECT id, :payload FROM secret
  ON CONFLICT (id) DO UPDATE SET payload = excluded.payload
)
SELECT expires_at_ms FROM secret
