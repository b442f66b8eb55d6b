-- Tells how far a counter has come. Only reads.
--
-- :key
--
-- Returns count, resets_at_ms (null if there is no end), now_ms; no row if there is no such counter

SELECT count, resets_at_ms, {now_ms} AS now_ms FROM {counters} WHERE key = :key
