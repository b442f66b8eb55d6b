-- Counts one, unless the window under way has had its most. Without a window this begins one.
--
-- :key
-- :max        how many are allowed in a window
-- :window_ms  how long a window lasts that this begins
-- :now_ms
--
-- Returns counted (0 if the limit was reached, null if the counter is damaged), resets_at_ms

DELETE FROM syncguard_counters
WHERE key = :key AND resets_at_ms <= :now_ms AND count BETWEEN 0 AND {most_count};

UPDATE syncguard_counters SET resets_at_ms = :now_ms + :window_ms
WHERE key = :key AND resets_at_ms IS NULL AND count BETWEEN 0 AND {most_count};

INSERT INTO syncguard_counters (key, count, resets_at_ms) VALUES (:key, 1, :now_ms + :window_ms)
ON CONFLICT (key) DO UPDATE SET count = count + 1 WHERE count >= 0 AND count < :max;

SELECT CASE WHEN changes() > 0 THEN count WHEN count BETWEEN 0 AND {most_count} THEN 0 END AS counted, resets_at_ms
FROM syncguard_counters WHERE key = :key
