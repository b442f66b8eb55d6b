-- Forgets a batch of limiters that are idle.
--
-- :batch  how many at the most
-- :now_ns
--
-- Returns swept, their number

DELETE FROM syncguard_rate_limiters WHERE name IN (
  SELECT name FROM syncguard_rate_limiters WHERE idle_at_ns <= :now_ns LIMIT :batch
);

SELECT changes() AS swept
