-- Tells what is left of a secret. Only reads.
--
-- :id
--
-- Returns views, expires_at_ms, now_ms; no row if there is no such secret

SELECT views, expires_at_ms, {now_ms} AS now_ms FROM {secrets} WHERE id = :id
