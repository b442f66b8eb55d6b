-- Counts holders and waiters, without the dead, for a batch of names in their order.
--
-- :after  the last name of the batch before; empty for the first
-- :batch  how many names at the most
-- :now_ms
--
-- Returns a row for each name: name, slots, acquired, waiting, waited_ms (null if there is no waiter)

SELECT s.name, s.slots,
  count(*) FILTER (WHERE p.state <> 'waiting') AS acquired,
  count(*) FILTER (WHERE p.state = 'waiting') AS waiting,
  :now_ms - min(p.ticket) FILTER (WHERE p.state = 'waiting') / 1000 AS waited_ms
FROM (SELECT name, slots FROM syncguard_semaphores WHERE name > :after ORDER BY name LIMIT :batch) s
LEFT JOIN syncguard_permits p ON p.name = s.name AND p.deadline_ms >= :now_ms
GROUP BY s.name
ORDER BY s.name
