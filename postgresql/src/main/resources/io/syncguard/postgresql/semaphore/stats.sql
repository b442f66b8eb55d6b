-- Counts a name's holders and waiters, without the dead.
--
-- :name
--
-- Returns name, slots, acquired, waiting, waited_ms (null if there is no waiter); no row if the name is not in use

SELECT s.name, s.slots,
  count(*) FILTER (WHERE p.state <> 'waiting') AS acquired,
  count(*) FILTER (WHERE p.state = 'waiting') AS waiting,
  clock.now_ms - min(p.ticket) FILTER (WHERE p.state = 'waiting') / 1000 AS waited_ms
FROM (SELECT {now_ms} AS now_ms) clock, {semaphores} s JOIN {permits} p ON p.name = s.name
WHERE s.name = :name AND p.deadline_ms >= clock.now_ms
GROUP BY s.name, s.slots, clock.now_ms
