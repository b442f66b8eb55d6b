-- Forgets a batch of names that no living permit has used for so long.
--
-- :keep_ms  how long
-- :batch    how many names at the most
-- :now_ms
--
-- Returns swept, the number of their permits

DELETE FROM syncguard_semaphores WHERE name IN (
  SELECT s.name FROM syncguard_semaphores s
  WHERE NOT EXISTS (SELECT 1 FROM syncguard_permits p WHERE p.name = s.name AND p.deadline_ms >= :now_ms - :keep_ms)
  LIMIT :batch
);

DELETE FROM syncguard_permits WHERE name NOT IN (SELECT name FROM syncguard_semaphores);

SELECT changes() AS swept
