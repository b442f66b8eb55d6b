-- Counts a name's holders and waiters, without the dead.
--
-- :name
-- :now_ms
--
-- Returns name, slots, acquired, waiting, waited_ms (null if there is no waiter); no row if the name is not in use

SELECT s.name, s.slots,
  count(*) FILTER (WHERE p.state <> 'waiting') AS acquired,
  count(*) FILTER (WHERE p.state = 'waiting') AS waiting,
  :now_ms - min(p.ticket) FILTER (WHERE p.state = 'waiting') / 1000 AS waited_ms
FROM syncguard_semaphores s JOIN syncguard_permits p ON p.name = s.name AND p.deadline_ms >= :now_ms
WHERE s.name = :name
GROUP BY s.name
