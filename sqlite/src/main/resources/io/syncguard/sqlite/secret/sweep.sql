-- Removes a batch of secrets that have expired; a trigger removes their payloads.
--
-- :batch  how many at the most
-- :now_ms
--
-- Returns swept, their number

DELETE FROM syncguard_secrets WHERE id IN (
  SELECT id FROM syncguard_secrets WHERE expires_at_ms <= :now_ms LIMIT :batch
);

SELECT changes() AS swept
