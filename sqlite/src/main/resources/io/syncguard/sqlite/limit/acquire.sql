-- Allows by GCRA, or tells how long to wait.
--
-- :name
-- :cost_ns   how far this moves the limiter's time; at most the burst
-- :burst_ns  how far that may be ahead of the clock
-- :now_ns
--
-- Returns wait_ns, 0 if allowed

UPDATE syncguard_rate_limiters SET idle_at_ns = :now_ns + :burst_ns
WHERE name = :name AND idle_at_ns > :now_ns + :burst_ns;

INSERT INTO syncguard_rate_limiters (name, idle_at_ns) VALUES (:name, :now_ns + :cost_ns)
ON CONFLICT (name) DO UPDATE SET idle_at_ns = max(idle_at_ns, :now_ns) + :cost_ns
WHERE max(idle_at_ns, :now_ns) - :now_ns <= :burst_ns - :cost_ns;

SELECT CASE WHEN changes() > 0 THEN 0 ELSE idle_at_ns - :now_ns + :cost_ns - :burst_ns END AS wait_ns
FROM syncguard_rate_limiters WHERE name = :name
