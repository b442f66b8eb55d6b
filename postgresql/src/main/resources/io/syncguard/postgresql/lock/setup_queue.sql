-- Creates what is missing of the locks' queues, and the functions anew; what setup.sql says of that holds here too.

SELECT pg_advisory_xact_lock(hashtext('syncguard setup'));

SELECT set_config('search_path', relnamespace::regnamespace::text || ', ' || current_setting('search_path'), true)
FROM pg_class WHERE oid = coalesce(to_regclass('{locks}'), to_regclass('{fences}'));

-- Before there was a queue, a table of this name had a waiter's channel in place of its lockId. The functions of then need it.
DO $$ BEGIN
  IF EXISTS (SELECT FROM pg_attribute WHERE attrelid = to_regclass('{waiters}') AND attname = 'since_ms') THEN
    DROP TABLE {waiters};
    DROP FUNCTION IF EXISTS {acquire_without_queue}, {release_without_queue};
  END IF;
END $$;

-- All three are unlogged, so that waiting costs no flush: a crash, or a failover, empties them, and waiters join again.

-- A key that has waiters.
--
-- head         no waiter's ticket is before this, so that no step reads what PostgreSQL leaves in an index of deleted rows until
--              it is vacuumed
-- last_ticket  the last that was given out
--
-- The others are what a grant writes into the lock's record and counts.
CREATE UNLOGGED TABLE IF NOT EXISTS {queues} (
  key TEXT COLLATE "C" PRIMARY KEY,
  head BIGINT NOT NULL,
  last_ticket BIGINT NOT NULL,
  fence_key TEXT COLLATE "C" NOT NULL,
  user_key TEXT NOT NULL
) WITH (fillfactor = 50);

-- A waiter.
--
-- ticket  its place in the queue: when it came, in microseconds
CREATE UNLOGGED TABLE IF NOT EXISTS {waiters} (
  lock_id TEXT COLLATE "C" PRIMARY KEY,
  key TEXT COLLATE "C" NOT NULL,
  ticket BIGINT NOT NULL,
  process TEXT COLLATE "C" NOT NULL
);

CREATE UNIQUE INDEX IF NOT EXISTS {places_index} ON {waiters} (key, ticket);

-- A process that has waiters.
--
-- channel         where to tell of a grant; empty for nowhere
-- alive_until_ms  when it is dead, and its waiters with it, if it gives no sign of life
CREATE UNLOGGED TABLE IF NOT EXISTS {processes} (
  process TEXT COLLATE "C" PRIMARY KEY,
  channel TEXT COLLATE "C" NOT NULL,
  alive_until_ms BIGINT NOT NULL
) WITH (fillfactor = 50);

-- Only who has a key's turn changes its queue. The functions that clients call do not allow what would read a whole table;
-- what sorts is not allowed where the first in a queue is looked for.

-- Notes that a process lives. It may be told so many times a second, and writes a few times only.
CREATE OR REPLACE FUNCTION {note_life}(its_process TEXT, its_channel TEXT, now_ms BIGINT) RETURNS void
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  IF NOT EXISTS (
    SELECT FROM {processes} p WHERE p.process = its_process AND p.channel = its_channel
    AND p.alive_until_ms BETWEEN now_ms + {alive_ms} * 5 / 6 AND now_ms + {alive_ms}
  ) THEN
    INSERT INTO {processes} (process, channel, alive_until_ms) VALUES (its_process, its_channel, now_ms + {alive_ms})
    ON CONFLICT (process) DO UPDATE SET channel = excluded.channel, alive_until_ms = excluded.alive_until_ms;
  END IF;
END $$;

-- Takes a place at the end of the queue, or keeps the one that is there. Returns its ticket.
CREATE OR REPLACE FUNCTION {join_queue}(
  the_key TEXT, the_fence_key TEXT, the_user_key TEXT, its_lock_id TEXT, its_process TEXT, its_channel TEXT, now_ms BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  its_ticket BIGINT := (SELECT w.ticket FROM {waiters} w WHERE w.lock_id = its_lock_id AND w.key || '' = the_key);
BEGIN
  PERFORM {note_life}(its_process, its_channel, now_ms);
  IF its_ticket IS NULL THEN
    INSERT INTO {queues} AS q (key, head, last_ticket, fence_key, user_key)
    SELECT the_key, now_us, now_us, the_fence_key, the_user_key FROM (SELECT {now_us} AS now_us) clock
    ON CONFLICT (key) DO UPDATE SET last_ticket = greatest(q.last_ticket + 1, excluded.last_ticket)
    RETURNING q.last_ticket INTO its_ticket;
    INSERT INTO {waiters} (lock_id, key, ticket, process) VALUES (its_lock_id, the_key, its_ticket, its_process);
  END IF;
  RETURN its_ticket;
END $$;

-- Moves the head on to the first place, or forgets the queue if there is none.
CREATE OR REPLACE FUNCTION {move_head}(the_key TEXT) RETURNS void
LANGUAGE plpgsql SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  old_head BIGINT := (SELECT q.head FROM {queues} q WHERE q.key = the_key);
  new_head BIGINT := (
    SELECT w.ticket FROM {waiters} w WHERE w.key = the_key AND w.ticket >= old_head ORDER BY w.ticket LIMIT 1);
BEGIN
  IF new_head IS NULL THEN
    DELETE FROM {queues} q WHERE q.key = the_key;
  ELSIF new_head <> old_head THEN
    UPDATE {queues} q SET head = new_head WHERE q.key = the_key;
  END IF;
END $$;

-- Gives up a place. Returns whether there was one.
CREATE OR REPLACE FUNCTION {leave_queue}(the_key TEXT, its_lock_id TEXT) RETURNS BOOLEAN
LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  DELETE FROM {waiters} w WHERE w.lock_id = its_lock_id AND w.key || '' = the_key;
  IF FOUND THEN
    PERFORM {move_head}(the_key);
    RETURN true;
  END IF;
  RETURN false;
END $$;

-- Returns who is first of those whose process lives; nothing if there is none. If the first is found dead, all the dead of this
-- queue lose their places, and so does a waiter whose id is that of another key's lock.
CREATE OR REPLACE FUNCTION {first_waiter}(the_key TEXT, now_ms BIGINT) RETURNS TEXT
LANGUAGE plpgsql SET enable_sort = off AS $$
#variable_conflict use_column
DECLARE
  first RECORD;
BEGIN
  LOOP
    SELECT w.lock_id, w.process INTO first FROM {waiters} w
    WHERE w.key = the_key AND w.ticket >= (SELECT q.head FROM {queues} q WHERE q.key = the_key) ORDER BY w.ticket LIMIT 1;
    IF first.lock_id IS NULL THEN
      RETURN NULL;
    ELSIF NOT EXISTS (SELECT FROM {processes} p WHERE p.process = first.process AND p.alive_until_ms > now_ms) THEN
      DELETE FROM {waiters} w WHERE w.key = the_key
      AND NOT EXISTS (SELECT FROM {processes} p WHERE p.process = w.process AND p.alive_until_ms > now_ms);
    ELSIF EXISTS (SELECT FROM {locks} l WHERE l.lock_id = first.lock_id AND l.key || '' <> the_key) THEN
      DELETE FROM {waiters} w WHERE w.lock_id = first.lock_id;
    ELSE
      RETURN first.lock_id;
    END IF;
    PERFORM {move_head}(the_key);
  END LOOP;
END $$;

-- Grants the lock to the first waiter if no lock is live, until the waiter confirms it, and tells it, if there is room for that:
-- otherwise the commit would fail, and the waiter finds out by its next sign of life. A waiter of the asking process is told by
-- the answer. A waiter that cannot be granted the lock, because the fences are used up or their counter is damaged, is told to
-- look, and learns that.
CREATE OR REPLACE FUNCTION {grant_lock}(
  the_key TEXT, released_fence TEXT, asking_process TEXT,
  OUT granted_id TEXT, OUT granted_process TEXT, OUT granted_fence TEXT, OUT granted_until_ms BIGINT, OUT is_refused BOOLEAN
) LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  now_ms BIGINT;
  expiry_ms BIGINT;
  last_fence TEXT;
  first_id TEXT;
  its_channel TEXT;
  counted BIGINT;
BEGIN
  is_refused := false;
  SELECT l.expires_at_ms INTO expiry_ms FROM {locks} l WHERE l.key = the_key;
  now_ms := {now_ms};
  IF expiry_ms <= now_ms - {tolerance_ms} THEN
    SELECT l.expires_at_ms, l.fence INTO expiry_ms, last_fence FROM {locks} l WHERE l.key = the_key FOR UPDATE;
    now_ms := {now_ms};
  END IF;
  IF expiry_ms > now_ms - {tolerance_ms} THEN
    RETURN;
  END IF;
  first_id := {first_waiter}(the_key, now_ms);
  IF first_id IS NULL THEN
    RETURN;
  END IF;
  SELECT p.process, p.channel INTO granted_process, its_channel
  FROM {waiters} w JOIN {processes} p ON p.process = w.process WHERE w.lock_id = first_id;
  SELECT {take_lock}(the_key, q.fence_key, q.user_key, first_id, coalesce(last_fence, released_fence), now_ms, {grant_ms})
  INTO counted FROM {queues} q WHERE q.key = the_key;
  is_refused := counted IS NULL;
  IF counted > 0 THEN
    granted_id := first_id;
    granted_fence := lpad(counted::text, 15, '0');
    granted_until_ms := now_ms + {grant_ms};
    PERFORM {leave_queue}(the_key, first_id);
  END IF;
  IF its_channel <> '' AND (is_refused OR (counted > 0 AND granted_process <> asking_process)) AND {can_notify} THEN
    PERFORM pg_notify(its_channel, concat_ws(' ', first_id, granted_fence, granted_until_ms));
  END IF;
END $$;

-- Notes that a process lives, and grants those keys of its waiters that have no live lock; what grants is flushed. It has several
-- keys' turns until it commits, so it waits for none: who has a key's turn grants it.
CREATE OR REPLACE FUNCTION {keep_waiting}(ids TEXT, its_process TEXT, its_channel TEXT, OUT places TEXT)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  its_id TEXT;
  its_key TEXT;
  waits BOOLEAN;
  next RECORD;
  is_granted BOOLEAN := false;
BEGIN
  PERFORM {note_life}(its_process, its_channel, {now_ms});
  places := '';
  FOR its_id IN SELECT json_array_elements_text(ids::json) LOOP
    SELECT w.key INTO its_key FROM {waiters} w WHERE w.lock_id = its_id;
    waits := its_key IS NOT NULL;
    IF waits AND NOT EXISTS (SELECT FROM {locks} l WHERE l.key = its_key AND l.expires_at_ms > {now_ms} - {tolerance_ms}) THEN
      IF pg_try_advisory_xact_lock(hashtext(its_key)) THEN
        SELECT * INTO next FROM {grant_lock}(its_key, NULL, '');
        is_granted := is_granted OR next.granted_id IS NOT NULL;
        waits := NOT next.is_refused AND EXISTS (SELECT FROM {waiters} w WHERE w.lock_id = its_id);
      END IF;
    END IF;
    places := places || CASE WHEN waits THEN 'W' ELSE '-' END;
  END LOOP;
  IF NOT is_granted AND set_config('synchronous_commit', 'off', true) = 'off' THEN
    RETURN;
  END IF;
END $$;

-- Forgets processes that died so long ago, and queues that they alone waited in, but none that another client is at. Returns how
-- many queues.
CREATE OR REPLACE FUNCTION {sweep_queues}(keep_ms BIGINT, batch BIGINT) RETURNS BIGINT
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  dead_since_ms BIGINT := {now_ms} - keep_ms;
  the_key TEXT;
  swept BIGINT := 0;
BEGIN
  DELETE FROM {processes} WHERE process = ANY (ARRAY(
    SELECT process FROM {processes} WHERE alive_until_ms < dead_since_ms FOR UPDATE SKIP LOCKED
  ));
  FOR the_key IN
    SELECT q.key FROM {queues} q WHERE NOT EXISTS (
      SELECT FROM {waiters} w WHERE w.key = q.key AND w.ticket >= q.head
      AND EXISTS (SELECT FROM {processes} p WHERE p.process = w.process)
    )
    LIMIT batch
  LOOP
    IF pg_try_advisory_xact_lock(hashtext(the_key)) AND {first_waiter}(the_key, dead_since_ms) IS NULL THEN
      swept := swept + 1;
    END IF;
  END LOOP;
  RETURN swept;
END $$
