-- Counts one, unless the window under way has had its most; setup.sql says how.
--
-- :key
-- :max        how many are allowed in a window
-- :window_ms  how long a window lasts that this begins
--
-- Returns counted (0 if the limit was reached, null if the counter is damaged), resets_at_ms

SELECT counted, ends_at_ms AS resets_at_ms FROM {increment_counter}(:key, :max, :window_ms)
