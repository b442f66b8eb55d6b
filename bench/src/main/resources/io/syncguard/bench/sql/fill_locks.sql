-- %1$s: the table; %2$d: how many rows. Every other lock is expired, the others live for a day.
INSERT INTO %1$s (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
SELECT key,
       translate(left(encode(sha256(convert_to(key, 'UTF8')), 'base64'), 22), '+/', '-_'),
       CASE WHEN n %% 2 = 0 THEN 1000 ELSE now_ms + 86400000 END,
       1000, '000000000000001', key
FROM (SELECT n, 'row:' || n AS key FROM generate_series(0, %2$d - 1) AS n) AS keys,
     (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now_ms) AS clock;
