-- Ends a counter's window.
--
-- :key
--
-- Returns resets_at_ms (null if there was no end), now_ms; no row if there was no such counter

DELETE FROM {counters} WHERE key = :key RETURNING resets_at_ms, {now_ms} AS now_ms
