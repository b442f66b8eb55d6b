-- Counts holders and waiters, without the dead, for a batch of names in their order.
--
-- :after  the last name of the batch before; empty for the first
-- :batch  how many names at the most
--
-- Returns a row for each name: name, slots, acquired, waiting, waited_ms (null if there is no waiter)

SELECT s.name, s.slots,
  count(*) FILTER (WHERE p.state <> 'waiting') AS acquired,
  count(*) FILTER (WHERE p.state = 'waiting') AS waiting,
  clock.now_ms - min(p.ticket) FILTER (WHERE p.state = 'waiting') / 1000 AS waited_ms
FROM
  (SELECT {now_ms} AS now_ms) clock
  CROSS JOIN (SELECT name, slots FROM {semaphores} WHERE name > :after ORDER BY name LIMIT :batch) s
  LEFT JOIN {permits} p ON p.name = s.name AND p.deadline_ms >= clock.now_ms
GROUP BY s.name, s.slots, clock.now_ms
ORDER BY s.name
