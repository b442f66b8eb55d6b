-- Forgets a batch of windows that are over.
--
-- :batch  how many at the most
-- :now_ms
--
-- Returns swept, their number

DELETE FROM syncguard_counters WHERE key IN (
  SELECT key FROM syncguard_counters WHERE resets_at_ms <= :now_ms LIMIT :batch
);

SELECT changes() AS swept
