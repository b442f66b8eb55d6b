-- Creates what is missing, and the functions anew. One at a time, because PostgreSQL's IF NOT EXISTS does not hold against
-- other clients at work. A function whose meaning changes gets another number, so that older clients go on with theirs.

SELECT pg_advisory_xact_lock(hashtext('syncguard setup'));

-- What is missing comes to the tables that are there, also where their schema is not the first of the search path: a table
-- before them would hide them, and a lock could be held in both. The fence counters tell where that is if the locks are gone.
SELECT set_config('search_path', relnamespace::regnamespace::text || ', ' || current_setting('search_path'), true)
FROM pg_class WHERE oid = coalesce(to_regclass('{locks}'), to_regclass('{fences}'));

CREATE TABLE IF NOT EXISTS {locks} (
  key TEXT COLLATE "C" PRIMARY KEY,
  lock_id TEXT COLLATE "C" NOT NULL UNIQUE,
  expires_at_ms BIGINT NOT NULL,
  acquired_at_ms BIGINT NOT NULL,
  fence TEXT NOT NULL,
  user_key TEXT NOT NULL
);

CREATE INDEX IF NOT EXISTS {expires_index} ON {locks} (expires_at_ms);

CREATE TABLE IF NOT EXISTS {fences} (
  fence_key TEXT COLLATE "C" PRIMARY KEY,
  fence BIGINT NOT NULL DEFAULT 0,
  key_debug TEXT
) WITH (fillfactor = 70);

-- A plan is kept, and outlives the size of the table that it was made for. One that was made while a table was small would
-- read all of it when it is large, so no function that clients call allows that.

-- Counts the next fence and writes the lock's record; to be called by who has the key's turn and has found no live lock. The
-- fence is greater than the counter and than that of an expired row, which may be all that is left of a lost counter.
-- Returns the fence; 0 if a live row has come meanwhile, from a client that takes no turn; nothing if the fences are used up or
-- their counter is damaged.
CREATE OR REPLACE FUNCTION {take_lock}(
  the_key TEXT, the_fence_key TEXT, the_user_key TEXT, its_lock_id TEXT, expired_fence TEXT, now_ms BIGINT, ttl_ms BIGINT
) RETURNS BIGINT LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  last_fence BIGINT := CASE WHEN expired_fence ~ '^[0-9]{15}$' THEN expired_fence::bigint ELSE 0 END;
  counted BIGINT;
BEGIN
  IF last_fence >= {max_fence} THEN
    RETURN NULL;
  END IF;
  INSERT INTO {fences} AS c (fence_key, fence, key_debug) VALUES (the_fence_key, last_fence + 1, the_user_key)
  ON CONFLICT (fence_key) DO UPDATE SET fence = greatest(c.fence + 1, excluded.fence)
  WHERE c.fence >= 0 AND c.fence < {max_fence}
  RETURNING c.fence INTO counted;
  IF counted IS NULL THEN
    RETURN NULL;
  END IF;
  INSERT INTO {locks} AS l (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
  VALUES (the_key, its_lock_id, now_ms + ttl_ms, now_ms, lpad(counted::text, 15, '0'), the_user_key)
  ON CONFLICT (key) DO UPDATE SET
    lock_id = excluded.lock_id,
    expires_at_ms = excluded.expires_at_ms,
    acquired_at_ms = excluded.acquired_at_ms,
    fence = excluded.fence,
    user_key = excluded.user_key
  WHERE l.expires_at_ms <= excluded.acquired_at_ms - {tolerance_ms};
  RETURN CASE WHEN FOUND THEN counted ELSE 0 END;
END $$;

-- Takes the lock if it is free for the client, and a place in the queue if it waits, and answers with the lock that is there
-- in the end: this one, or another's.
--
-- All clients that decide on a key take turns until they have committed. A client of the reference implementation takes the
-- same advisory lock and then overwrites the row without looking again, so no client may acquire without it. What comes
-- after it sees what the clients before have committed. The reference's extension does not take it, so an expired row is
-- locked and looked at again, and the clock is read after that.
--
-- What takes, confirms or grants is flushed. What joins the queue or leaves it is not: after a crash there is no queue.
CREATE OR REPLACE FUNCTION {acquire}(
  the_key TEXT, the_fence_key TEXT, the_user_key TEXT, new_lock_id TEXT, ttl_ms BIGINT,
  waits BIGINT, its_process TEXT, its_channel TEXT,
  OUT lock_id TEXT, OUT expires_at_ms BIGINT, OUT fence TEXT, OUT now_ms BIGINT, OUT counted BIGINT, OUT ticket BIGINT
) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  -- An expression is cheaper than a statement.
  our_turn BOOLEAN := pg_advisory_xact_lock(hashtext(the_key)) IS NOT NULL;
  life_ms BIGINT;
  has_queue BOOLEAN;
  first_id TEXT;
  is_granted BOOLEAN := false;
BEGIN
  SELECT l.lock_id, l.expires_at_ms, l.fence, l.expires_at_ms - l.acquired_at_ms
  INTO lock_id, expires_at_ms, fence, life_ms FROM {locks} l WHERE l.key = the_key;
  now_ms := {now_ms};
  IF expires_at_ms <= now_ms - {tolerance_ms} THEN
    SELECT l.lock_id, l.expires_at_ms, l.fence, l.expires_at_ms - l.acquired_at_ms
    INTO lock_id, expires_at_ms, fence, life_ms FROM {locks} l WHERE l.key = the_key FOR UPDATE;
    now_ms := {now_ms};
  END IF;
  counted := 0;
  IF expires_at_ms > now_ms - {tolerance_ms} AND lock_id = new_lock_id THEN
    -- The reply to an earlier attempt was lost, or this confirms what was granted to the waiter.
    IF life_ms IN ({grant_ms}, {untold_grant_ms}) AND fence ~ '^[0-9]{15}$' THEN
      expires_at_ms := now_ms + ttl_ms;
      UPDATE {locks} l SET expires_at_ms = now_ms + ttl_ms WHERE l.key = the_key;
    END IF;
    RETURN;
  END IF;
  has_queue := EXISTS (SELECT FROM {queues} q WHERE q.key = the_key);
  IF has_queue AND (waits = 1 OR EXISTS (SELECT FROM {waiters} w WHERE w.lock_id = new_lock_id)) THEN
    PERFORM {note_life}(its_process, its_channel, now_ms);
  END IF;
  IF expires_at_ms IS NULL OR expires_at_ms <= now_ms - {tolerance_ms} THEN
    IF has_queue THEN
      first_id := {first_waiter}(the_key, now_ms);
    END IF;
    IF first_id IS NULL OR first_id = new_lock_id THEN
      counted := {take_lock}(the_key, the_fence_key, the_user_key, new_lock_id, fence, now_ms, ttl_ms);
    ELSE
      SELECT g.granted_id IS NOT NULL, CASE WHEN g.is_refused THEN NULL ELSE 0 END
      INTO is_granted, counted FROM {grant_lock}(the_key, NULL, '') g;
    END IF;
    IF counted > 0 OR counted IS NULL THEN
      IF has_queue AND (counted > 0 OR waits = 0) THEN
        PERFORM {leave_queue}(the_key, new_lock_id);
      END IF;
      IF counted > 0 THEN
        lock_id := new_lock_id;
        expires_at_ms := now_ms + ttl_ms;
        fence := lpad(counted::text, 15, '0');
      END IF;
      RETURN;
    END IF;
    SELECT l.lock_id, l.expires_at_ms, l.fence INTO lock_id, expires_at_ms, fence FROM {locks} l WHERE l.key = the_key;
  END IF;
  IF waits = 1 AND fence ~ '^[0-9]{15}$' AND lock_id ~ '^[A-Za-z0-9_-]{22}$' THEN
    ticket := {join_queue}(the_key, the_fence_key, the_user_key, new_lock_id, its_process, its_channel, now_ms);
  ELSIF has_queue THEN
    PERFORM {leave_queue}(the_key, new_lock_id);
  END IF;
  IF NOT is_granted AND set_config('synchronous_commit', 'off', true) = 'off' THEN
    RETURN;
  END IF;
END $$;

-- Frees the lock if it has this id, or gives up the place that the id has in the queue, and grants what is free then. It takes
-- its turn too: a waiter has joined either before this looks for waiters, or not before this has committed.
--
-- What grants is flushed. Otherwise the commit is not: if a crash undoes it, the lock stays until it expires, and it is never
-- held twice.
CREATE OR REPLACE FUNCTION {release}(
  the_lock_id TEXT, its_key TEXT, its_process TEXT,
  OUT expires_at_ms BIGINT, OUT now_ms BIGINT, OUT left_queue BIGINT,
  OUT granted_id TEXT, OUT granted_fence TEXT, OUT granted_until_ms BIGINT
) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  our_turn BOOLEAN;
  released_fence TEXT;
  has_queue BOOLEAN;
  next RECORD;
BEGIN
  IF its_key = '' THEN
    its_key := coalesce(
      (SELECT l.key FROM {locks} l WHERE l.lock_id = the_lock_id), (SELECT w.key FROM {waiters} w WHERE w.lock_id = the_lock_id));
    IF its_key IS NULL THEN
      RETURN;
    END IF;
  END IF;
  our_turn := pg_advisory_xact_lock(hashtext(its_key)) IS NOT NULL;
  DELETE FROM {locks} l WHERE l.lock_id = the_lock_id
  RETURNING l.expires_at_ms, l.fence, EXISTS (SELECT FROM {queues} q WHERE q.key = its_key)
  INTO expires_at_ms, released_fence, has_queue;
  now_ms := {now_ms};
  left_queue := 0;
  IF expires_at_ms IS NULL THEN
    has_queue := EXISTS (SELECT FROM {queues} q WHERE q.key = its_key);
    IF has_queue AND {leave_queue}(its_key, the_lock_id) THEN
      left_queue := 1;
    END IF;
  END IF;
  IF has_queue THEN
    SELECT * INTO next FROM {grant_lock}(its_key, released_fence, its_process);
    IF next.granted_process = its_process THEN
      granted_id := next.granted_id;
      granted_fence := next.granted_fence;
      granted_until_ms := next.granted_until_ms;
    END IF;
    IF next.granted_id IS NOT NULL THEN
      RETURN;
    END IF;
  END IF;
  IF set_config('synchronous_commit', 'off', true) = 'off' THEN
    RETURN;
  END IF;
END $$;

-- Lets the lock live longer if it has this id and is alive. It takes its turn too, so that it has committed before a client
-- of the reference implementation looks at the row, or not before that client has overwritten it. The clock is read after
-- the row is locked.
CREATE OR REPLACE FUNCTION {extend}(the_lock_id TEXT, ttl_ms BIGINT, OUT known BOOLEAN, OUT extended_to_ms BIGINT)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  expiry_ms BIGINT;
  now_ms BIGINT;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext(l.key)) FROM {locks} l WHERE l.lock_id = the_lock_id;
  SELECT l.expires_at_ms INTO expiry_ms FROM {locks} l WHERE l.lock_id = the_lock_id FOR UPDATE;
  known := expiry_ms IS NOT NULL;
  now_ms := {now_ms};
  IF expiry_ms > now_ms - {tolerance_ms} THEN
    extended_to_ms := now_ms + ttl_ms;
    UPDATE {locks} l SET expires_at_ms = extended_to_ms WHERE l.lock_id = the_lock_id;
  END IF;
END $$
