-- Allows by GCRA, or tells how long to wait; setup.sql says how.
--
-- :name
-- :cost_ns   how far this moves the limiter's time; at most the burst
-- :burst_ns  how far that may be ahead of the clock
--
-- Returns wait_ns, 0 if allowed

SELECT wait_ns FROM {acquire_rate}(:name, :cost_ns, :burst_ns)
