-- Notes that the process lives, grants what is free to the first in the queue, and tells which waiters still wait. The second
-- step is tried if the first has no answer.
--
-- :ids     of the waiters, a JSON array
-- :process the process that asks
-- :now_ms
--
-- Returns places, a letter for each id: W waiting, - not

{sign_of_life};

SELECT coalesce(group_concat(iif(w.lock_id IS NULL, '-', 'W'), '' ORDER BY i.key), '') AS places
FROM json_each(:ids) i LEFT JOIN syncguard_waiters w ON w.lock_id = i.value
HAVING NOT max(w.lock_id IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM syncguard_locks l WHERE l.key = w.key AND l.expires_at_ms > :now_ms - {tolerance_ms}
));

-- otherwise WRITE

SELECT json_group_array(DISTINCT w.key) AS keys, '' AS leaving
FROM json_each(:ids) i CROSS JOIN syncguard_waiters w ON w.lock_id = i.value;

{grant};

SELECT coalesce(group_concat(iif(w.lock_id IS NULL, '-', 'W'), '' ORDER BY i.key), '') AS places
FROM json_each(:ids) i LEFT JOIN syncguard_waiters w ON w.lock_id = i.value
