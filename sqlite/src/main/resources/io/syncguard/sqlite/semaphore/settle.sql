-- What every step on a semaphore begins with: forgets the dead, grants what is free to the first in the queue, and forgets
-- the name if no permit is left. A part of other scripts. (A negative limit would be none.)
--
-- :name
-- :leaving  a permit that is about to be gone and does not count; empty for none
-- :now_ms

DELETE FROM syncguard_permits WHERE name = :name AND deadline_ms < :now_ms;

UPDATE syncguard_permits SET state = 'granted', deadline_ms = min(deadline_ms, :now_ms + {lease_ms})
WHERE id IN (
  SELECT id FROM syncguard_permits INDEXED BY syncguard_permits_queue
  WHERE name = :name AND state = 'waiting' AND id <> :leaving
  ORDER BY ticket
  LIMIT max(0, coalesce((SELECT slots FROM syncguard_semaphores WHERE name = :name), 0) - (
    SELECT count(*) FROM syncguard_permits INDEXED BY syncguard_permits_taken
    WHERE name = :name AND state <> 'waiting' AND id <> :leaving
  ))
);

DELETE FROM syncguard_semaphores
WHERE name = :name AND NOT EXISTS (SELECT 1 FROM syncguard_permits WHERE name = :name AND id <> :leaving)
