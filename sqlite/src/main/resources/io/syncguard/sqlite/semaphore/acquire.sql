-- Gets a slot, confirms one that was granted, or takes a place in the queue. May be repeated: what is known of the id decides.
--
-- :name, :leaving (empty), :now_ms  see settle.sql
-- :id         the permit's
-- :limit      how many slots there are
-- :ttl_ms     how long the slot may be held
-- :timeout_ms how long the permit counts as alive without a sign of life
-- :waits      1 to wait in the queue, 0 not to
--
-- Returns one row: outcome, number, until_ms
--   held, slots taken, expiry
--   waiting, ticket
--   busy
--   limit, the one in use

{settle};

INSERT INTO syncguard_semaphores (name, slots, last_ticket) VALUES (:name, :limit, 0) ON CONFLICT (name) DO NOTHING;

INSERT INTO syncguard_permits (id, name, state, ticket, deadline_ms, slot, expires_at_ms)
SELECT
  :id, :name,
  CASE WHEN taken < slots THEN 'held' ELSE 'waiting' END,
  max(last_ticket + 1, :now_ms * 1000),
  :now_ms + :timeout_ms,
  CASE WHEN taken < slots THEN taken + 1 END,
  CASE WHEN taken < slots THEN :now_ms + :ttl_ms END
FROM (
  SELECT slots, last_ticket, (
    SELECT count(*) FROM syncguard_permits INDEXED BY syncguard_permits_taken WHERE name = :name AND state <> 'waiting'
  ) AS taken
  FROM syncguard_semaphores WHERE name = :name
)
WHERE slots = :limit AND (taken < slots OR :waits = 1) AND NOT EXISTS (SELECT 1 FROM syncguard_permits WHERE id = :id);

UPDATE syncguard_semaphores SET last_ticket = max(last_ticket + 1, :now_ms * 1000) WHERE name = :name AND changes() > 0;

UPDATE syncguard_permits SET
  state = 'held',
  slot = (
    SELECT count(*) FROM syncguard_permits INDEXED BY syncguard_permits_taken WHERE name = :name AND state <> 'waiting'
  ),
  expires_at_ms = :now_ms + :ttl_ms
WHERE id = :id AND state = 'granted';

UPDATE syncguard_permits
SET deadline_ms = min(:now_ms + :timeout_ms, coalesce(expires_at_ms, :now_ms + :timeout_ms))
WHERE id = :id;

DELETE FROM syncguard_permits WHERE id = :id AND state = 'waiting' AND :waits = 0;

SELECT
  CASE WHEN p.id IS NOT NULL THEN p.state WHEN changes() > 0 OR s.slots = :limit THEN 'busy' ELSE 'limit' END AS outcome,
  CASE p.state WHEN 'held' THEN p.slot WHEN 'waiting' THEN p.ticket ELSE s.slots END AS number,
  p.expires_at_ms AS until_ms
FROM syncguard_semaphores s LEFT JOIN syncguard_permits p ON p.id = :id
WHERE s.name = :name
