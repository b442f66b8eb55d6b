-- %1$s: the table; %2$d: how many rows.
INSERT INTO %1$s (fence_key, fence, key_debug)
SELECT 'fence:row:' || n, 1, 'row:' || n FROM generate_series(0, %2$d - 1) AS n;
