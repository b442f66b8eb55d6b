-- Forgets a batch of locks that expired so long ago that no holder is owed an answer.
--
-- :keep_ms  how long an expired lock is kept
-- :batch    how many at the most
-- :now_ms
--
-- Returns swept, their number

DELETE FROM syncguard_locks WHERE key IN (
  SELECT key FROM syncguard_locks WHERE expires_at_ms < :now_ms - :keep_ms LIMIT :batch
);

SELECT changes() AS swept
