-- Counts a view and reveals the payload; the last view removes the secret, and a trigger its payload.
-- A view that does not present the proof changes nothing.
--
-- :id
-- :proof  the hash of what the viewer derived from its key; empty if it has none
-- :now_ms
--
-- Returns proven, whether that is the secret's own; views_left, payload, both null if not, or if the secret is damaged,
-- which then stays as it is; no row if there is none

DELETE FROM syncguard_secrets WHERE id = :id AND expires_at_ms <= :now_ms;

SELECT
  s.proof = :proof AS proven,
  CASE WHEN s.views BETWEEN 1 AND {most_views} AND p.payload IS NOT NULL THEN s.views - 1 END AS views_left,
  CASE WHEN s.views BETWEEN 1 AND {most_views} THEN p.payload END AS payload
FROM syncguard_secrets s LEFT JOIN syncguard_secret_payloads p ON p.id = s.id AND s.proof = :proof
WHERE s.id = :id;

DELETE FROM syncguard_secrets WHERE id = :id AND proof = :proof AND views = 1;

UPDATE syncguard_secrets SET views = views - 1 WHERE id = :id AND proof = :proof
