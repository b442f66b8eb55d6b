-- Forgets a batch of locks that expired so long ago that no holder is owed an answer, and of waiters whose processes have been
-- dead for as long.
--
-- :keep_ms  how long
-- :batch    how many at the most
-- :now_ms
--
-- Returns swept, how many locks or waiters, whichever are more

DELETE FROM syncguard_locks WHERE key IN (
  SELECT key FROM syncguard_locks WHERE expires_at_ms < :now_ms - :keep_ms LIMIT :batch
);

SELECT changes() AS locks;

DELETE FROM syncguard_waiters WHERE lock_id IN (
  SELECT w.lock_id FROM syncguard_processes p JOIN syncguard_waiters w ON w.process = p.process
  WHERE p.alive_until_ms < :now_ms - :keep_ms LIMIT :batch
);

SELECT max(:locks, changes()) AS swept
