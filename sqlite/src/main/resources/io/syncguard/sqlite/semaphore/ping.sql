-- Notes that permits are alive. A permit that was forgotten stays so. A waiter is noted only once a good part of its time
-- is over, because it asks more often than that, to find a grant.
--
-- :name, :leaving (empty), :now_ms  see settle.sql
-- :ids        a JSON array
-- :timeout_ms how long they count as alive from now on
--
-- Returns states, a letter for each id: W waiting, G granted, H held, - not known

{settle};

UPDATE syncguard_permits
SET deadline_ms = min(:now_ms + :timeout_ms, coalesce(expires_at_ms, :now_ms + :timeout_ms))
WHERE id IN (SELECT value FROM json_each(:ids)) AND +name = :name AND (
  state <> 'waiting' OR deadline_ms NOT BETWEEN :now_ms + :timeout_ms * 5 / 6 AND :now_ms + :timeout_ms
);

SELECT group_concat(
  CASE p.state WHEN 'waiting' THEN 'W' WHEN 'granted' THEN 'G' WHEN 'held' THEN 'H' ELSE '-' END, '' ORDER BY i.key
) AS states
FROM json_each(:ids) i LEFT JOIN syncguard_permits p ON p.id = i.value AND +p.name = :name
