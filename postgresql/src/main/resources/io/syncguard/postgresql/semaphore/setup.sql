-- Creates what is missing, and the functions anew; what ../lock/setup.sql says of that holds here too.

SELECT pg_advisory_xact_lock(hashtext('syncguard setup'));

SELECT set_config('search_path', relnamespace::regnamespace::text || ', ' || current_setting('search_path'), true)
FROM pg_class WHERE oid = coalesce(to_regclass('{semaphores}'), to_regclass('{locks}'));

-- A name in use.
--
-- slots   the limit
-- taken   how many slots are granted or held; never 0, because then there is no waiter either, and the row goes
-- due_ms  no permit's deadline is before this
-- head    no waiter's ticket is before this
--
-- With the last two no step reads what PostgreSQL leaves in an index of deleted rows until it is vacuumed.
CREATE TABLE IF NOT EXISTS {semaphores} (
  name TEXT COLLATE "C" PRIMARY KEY,
  slots BIGINT NOT NULL,
  taken BIGINT NOT NULL,
  due_ms BIGINT NOT NULL,
  head BIGINT NOT NULL
) WITH (fillfactor = 50);

-- A permit that waits for a slot, was granted one, or holds it.
--
-- ticket         its place in the queue: when it came, in microseconds
-- deadline_ms    when it is dead if it gives no sign of life, or when its ttl or its grant ends, if that is before
-- slot           how many slots were taken when it got one, that slot included
-- expires_at_ms  when its ttl ends, once it holds its slot
-- channel        where to tell of a grant; empty for nowhere
CREATE TABLE IF NOT EXISTS {permits} (
  id TEXT COLLATE "C" PRIMARY KEY,
  name TEXT COLLATE "C" NOT NULL,
  state TEXT COLLATE "C" NOT NULL CHECK (state IN ('waiting', 'granted', 'held')),
  ticket BIGINT NOT NULL,
  deadline_ms BIGINT NOT NULL,
  slot BIGINT,
  expires_at_ms BIGINT,
  channel TEXT COLLATE "C" NOT NULL
);

CREATE INDEX IF NOT EXISTS {queue_index} ON {permits} (name, ticket) WHERE state = 'waiting';

CREATE INDEX IF NOT EXISTS {deadline_index} ON {permits} (name, deadline_ms);

-- All clients that change a name take turns until they have committed, by an advisory lock of 64 bits, which is none of
-- those for locks; what comes after it sees what the clients before have committed, and reads the clock.
--
-- Only what makes a holder, or keeps one, or tells of a new limit is flushed when it commits. If a crash undoes anything
-- else, a place in the queue is lost, or a slot is taken until its deadline, but no slot is held twice.
--
-- A plan outlives the statistics that it was made from, and these tables are empty at one moment and full at the next. So a
-- permit is looked for by its id alone (a name that is an expression is no reason to read all permits of that name), and
-- the outer functions, each of which may be the first to have a plan made, do not allow what would read or sort a whole
-- table.

-- Grants what is free to the first in the queue, tells them if there is room for that (see ../lock/setup.sql), and returns how
-- many slots are taken then.
CREATE OR REPLACE FUNCTION {grant}(s {semaphores}, now_ms BIGINT) RETURNS BIGINT
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  granted RECORD;
BEGIN
  WHILE s.taken < s.slots LOOP
    UPDATE {permits} SET state = 'granted', deadline_ms = greatest(s.due_ms, least(deadline_ms, now_ms + {lease_ms}))
    WHERE id = (
      SELECT q.id FROM {permits} q WHERE q.name = s.name AND q.state = 'waiting' AND q.ticket >= s.head
      ORDER BY q.ticket LIMIT 1
    )
    RETURNING id, channel INTO granted;
    EXIT WHEN granted.id IS NULL;
    s.taken := s.taken + 1;
    IF granted.channel <> '' AND {can_notify} THEN
      PERFORM pg_notify(granted.channel, granted.id);
    END IF;
  END LOOP;
  RETURN s.taken;
END $$;

-- Forgets the dead and grants what they leave. Returns the name's row; nothing if no permit is left.
CREATE OR REPLACE FUNCTION {settle}(the_name TEXT, now_us BIGINT) RETURNS {semaphores}
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  now_ms BIGINT := now_us / 1000;
  s {semaphores};
  freed BIGINT;
BEGIN
  SELECT * INTO s FROM {semaphores} WHERE name = the_name;
  IF s.name IS NULL OR s.due_ms >= now_ms THEN
    RETURN s;
  END IF;
  WITH dead AS (
    DELETE FROM {permits} WHERE name = the_name AND deadline_ms >= s.due_ms AND deadline_ms < now_ms RETURNING state
  )
  SELECT count(*) INTO freed FROM dead WHERE state <> 'waiting';
  s.taken := s.taken - freed;
  s.taken := {grant}(s, now_ms);
  IF s.taken = 0 THEN
    DELETE FROM {semaphores} WHERE name = the_name;
    RETURN NULL;
  END IF;
  s.due_ms := coalesce((
    SELECT p.deadline_ms FROM {permits} p
    WHERE p.name = the_name AND p.deadline_ms >= now_ms AND p.deadline_ms < now_ms + {upkeep_ms}
    ORDER BY p.deadline_ms LIMIT 1
  ), now_ms + {upkeep_ms});
  s.head := coalesce((
    SELECT p.ticket FROM {permits} p WHERE p.name = the_name AND p.state = 'waiting' AND p.ticket >= s.head
    ORDER BY p.ticket LIMIT 1
  ), greatest(s.head, now_us));
  UPDATE {semaphores} SET taken = s.taken, due_ms = s.due_ms, head = s.head WHERE name = the_name;
  RETURN s;
END $$;

-- Gets a slot, or a place in the queue. May be repeated: what is known of the id decides.
CREATE OR REPLACE FUNCTION {acquire_permit}(
  the_name TEXT, the_id TEXT, its_limit BIGINT, ttl_ms BIGINT, timeout_ms BIGINT, waits BIGINT, its_channel TEXT,
  OUT outcome TEXT, OUT number BIGINT, OUT until_ms BIGINT
) LANGUAGE plpgsql SET enable_seqscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  -- An expression is cheaper than a statement.
  our_turn BOOLEAN := pg_advisory_xact_lock(hashtextextended(the_name, 0)) IS NOT NULL;
  now_us BIGINT := {now_us};
  now_ms BIGINT := now_us / 1000;
  s {semaphores} := {settle}(the_name, now_us);
  p {permits};
BEGIN
  IF s.name IS NOT NULL THEN
    SELECT * INTO p FROM {permits} WHERE id = the_id AND name || '' = the_name;
  END IF;
  IF p.id IS NULL AND s.slots <> its_limit THEN
    outcome := 'limit';
    number := s.slots;
  ELSIF p.id IS NULL AND (s.name IS NULL OR s.taken < s.slots) THEN
    outcome := 'held';
    number := coalesce(s.taken, 0) + 1;
    until_ms := now_ms + ttl_ms;
    p.deadline_ms := least(now_ms + timeout_ms, until_ms);
    INSERT INTO {semaphores} AS t (name, slots, taken, due_ms, head)
    VALUES (the_name, its_limit, 1, least(p.deadline_ms, now_ms + {upkeep_ms}), now_us)
    ON CONFLICT (name) DO UPDATE SET taken = t.taken + 1, due_ms = least(t.due_ms, excluded.due_ms);
    INSERT INTO {permits} (id, name, state, ticket, deadline_ms, slot, expires_at_ms, channel)
    VALUES (the_id, the_name, 'held', greatest(now_us, s.head), p.deadline_ms, number, until_ms, '');
    RETURN;
  ELSIF waits = 0 AND (p.id IS NULL OR p.state = 'waiting') THEN
    outcome := 'busy';
    IF p.id IS NOT NULL THEN
      DELETE FROM {permits} WHERE id = p.id;
    END IF;
  ELSIF p.id IS NULL THEN
    outcome := 'waiting';
    number := greatest(now_us, s.head, 1 + (
      SELECT q.ticket FROM {permits} q WHERE q.name = the_name AND q.state = 'waiting' AND q.ticket >= s.head
      ORDER BY q.ticket DESC LIMIT 1
    ));
    p.deadline_ms := now_ms + timeout_ms;
    INSERT INTO {permits} (id, name, state, ticket, deadline_ms, channel)
    VALUES (the_id, the_name, 'waiting', number, p.deadline_ms, its_channel);
  ELSE
    IF p.state = 'granted' THEN
      p.state := 'held';
      p.slot := s.taken;
      p.expires_at_ms := now_ms + ttl_ms;
    END IF;
    p.deadline_ms := least(now_ms + timeout_ms, p.expires_at_ms);
    UPDATE {permits}
    SET state = p.state, deadline_ms = p.deadline_ms, slot = p.slot, expires_at_ms = p.expires_at_ms, channel = its_channel
    WHERE id = the_id;
    outcome := p.state;
    number := CASE WHEN p.state = 'held' THEN p.slot ELSE p.ticket END;
    until_ms := p.expires_at_ms;
  END IF;
  IF p.deadline_ms < s.due_ms THEN
    UPDATE {semaphores} SET due_ms = p.deadline_ms WHERE name = the_name;
  END IF;
  IF outcome <> 'held' AND set_config('synchronous_commit', 'off', true) = 'off' THEN
    RETURN;
  END IF;
END $$;

-- Gives up a slot, confirmed or not, or a place in the queue, and grants the slot to the next.
CREATE OR REPLACE FUNCTION {release_permit}(the_name TEXT, the_id TEXT, OUT was TEXT)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  our_turn BOOLEAN := pg_advisory_xact_lock(hashtextextended(the_name, 0)) IS NOT NULL;
  now_us BIGINT := {now_us};
  s {semaphores} := {settle}(the_name, now_us);
  before BIGINT := s.taken;
BEGIN
  IF s.name IS NOT NULL THEN
    DELETE FROM {permits} WHERE id = the_id AND name || '' = the_name RETURNING state INTO was;
  END IF;
  IF was <> 'waiting' THEN
    s.taken := before - 1;
    s.taken := {grant}(s, now_us / 1000);
    IF s.taken = 0 THEN
      DELETE FROM {semaphores} WHERE name = the_name;
    ELSIF s.taken <> before THEN
      UPDATE {semaphores} SET taken = s.taken WHERE name = the_name;
    END IF;
  END IF;
  IF set_config('synchronous_commit', 'off', true) = 'off' THEN
    RETURN;
  END IF;
END $$;

-- Notes that permits are alive. A permit that was forgotten stays so. A waiter may ask far more often than it needs to show
-- that it lives, to find a grant; it is noted only once a good part of its time is over, so that asking writes nothing. A
-- holder is always noted: it counts on every answer.
CREATE OR REPLACE FUNCTION {ping_permits}(the_name TEXT, ids TEXT, timeout_ms BIGINT, OUT states TEXT)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  our_turn BOOLEAN := pg_advisory_xact_lock(hashtextextended(the_name, 0)) IS NOT NULL;
  now_us BIGINT := {now_us};
  now_ms BIGINT := now_us / 1000;
  s {semaphores} := {settle}(the_name, now_us);
  soonest_ms BIGINT;
  the_id TEXT;
  p RECORD;
BEGIN
  states := '';
  FOR the_id IN SELECT json_array_elements_text(ids::json) LOOP
    SELECT q.state, q.deadline_ms INTO p FROM {permits} q WHERE q.id = the_id AND q.name || '' = the_name;
    IF p.state <> 'waiting' OR p.deadline_ms NOT BETWEEN now_ms + timeout_ms * 5 / 6 AND now_ms + timeout_ms THEN
      UPDATE {permits} SET deadline_ms = least(now_ms + timeout_ms, expires_at_ms) WHERE id = the_id
      RETURNING state, deadline_ms INTO p;
    END IF;
    states := states || CASE p.state WHEN 'waiting' THEN 'W' WHEN 'granted' THEN 'G' WHEN 'held' THEN 'H' ELSE '-' END;
    soonest_ms := least(soonest_ms, p.deadline_ms);
  END LOOP;
  IF soonest_ms < s.due_ms THEN
    UPDATE {semaphores} SET due_ms = soonest_ms WHERE name = the_name;
  END IF;
  IF position('H' IN states) = 0 AND set_config('synchronous_commit', 'off', true) = 'off' THEN
    RETURN;
  END IF;
END $$;

-- Changes the limit of a name in use, and grants what that makes free.
CREATE OR REPLACE FUNCTION {resize_semaphore}(the_name TEXT, new_slots BIGINT, OUT resized BOOLEAN)
LANGUAGE plpgsql SET enable_seqscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  our_turn BOOLEAN := pg_advisory_xact_lock(hashtextextended(the_name, 0)) IS NOT NULL;
  now_us BIGINT := {now_us};
  s {semaphores} := {settle}(the_name, now_us);
BEGIN
  resized := s.name IS NOT NULL;
  IF resized THEN
    s.slots := new_slots;
    s.taken := {grant}(s, now_us / 1000);
    UPDATE {semaphores} SET slots = s.slots, taken = s.taken WHERE name = the_name;
  END IF;
END $$;

-- Settles names that no client has touched for so long, but none that another client is at. Returns how many.
CREATE OR REPLACE FUNCTION {sweep_semaphores}(keep_ms BIGINT, batch BIGINT) RETURNS BIGINT
LANGUAGE plpgsql SET enable_seqscan = off SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  the_name TEXT;
  s {semaphores};
  swept BIGINT := 0;
BEGIN
  FOR the_name IN SELECT name FROM {semaphores} WHERE due_ms < (SELECT {now_ms}) - keep_ms LIMIT batch LOOP
    IF pg_try_advisory_xact_lock(hashtextextended(the_name, 0)) THEN
      s := {settle}(the_name, {now_us});
      swept := swept + 1;
    END IF;
  END LOOP;
  PERFORM set_config('synchronous_commit', 'off', true);
  RETURN swept;
END $$
