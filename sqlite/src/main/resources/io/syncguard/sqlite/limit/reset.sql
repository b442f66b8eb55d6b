-- Ends a counter's window.
--
-- :key
-- :now_ms
--
-- Returns resets_at_ms (null if there was no end), now_ms; no row if there was no such counter

DELETE FROM syncguard_counters WHERE key = :key RETURNING resets_at_ms, :now_ms AS now_ms
