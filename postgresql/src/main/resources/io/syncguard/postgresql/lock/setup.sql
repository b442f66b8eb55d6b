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

-- The waiters to tell of a release: what a crash may take, since a waiter asks again in the end. Unlogged, so that waiting
-- costs no flush.
CREATE UNLOGGED TABLE IF NOT EXISTS {waiters} (
  key TEXT COLLATE "C" NOT NULL,
  channel TEXT COLLATE "C" NOT NULL,
  since_ms BIGINT NOT NULL,
  PRIMARY KEY (key, channel)
);

-- A plan is kept, and outlives the size of the table that it was made for. One that was made while a table was small would
-- read all of it when it is large, so no function allows that.

-- Takes the lock if it is free, and answers with the lock that is there in the end: this one, or another's.
--
-- All clients that decide on a key take turns until they have committed. A client of the reference implementation takes the
-- same advisory lock and then overwrites the row without looking again, so no client may acquire without it. What comes
-- after it sees what the clients before have committed. The reference's extension does not take it, so an expired row is
-- locked and looked at again, and the clock is read after that.
--
-- The fence is greater than the counter and than that of an expired row, which may be all that is left of a lost counter.
CREATE OR REPLACE FUNCTION {acquire}(
  the_key TEXT, the_fence_key TEXT, the_user_key TEXT, new_lock_id TEXT, ttl_ms BIGINT, waiters_channel TEXT,
  OUT lock_id TEXT, OUT expires_at_ms BIGINT, OUT fence TEXT, OUT now_ms BIGINT, OUT counted BIGINT
) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  -- An expression is cheaper than a statement.
  our_turn BOOLEAN := pg_advisory_xact_lock(hashtext(the_key)) IS NOT NULL;
  last_fence BIGINT := 0;
BEGIN
  SELECT l.lock_id, l.expires_at_ms, l.fence INTO lock_id, expires_at_ms, fence FROM {locks} l WHERE l.key = the_key;
  now_ms := {now_ms};
  IF expires_at_ms <= now_ms - {tolerance_ms} THEN
    SELECT l.lock_id, l.expires_at_ms, l.fence INTO lock_id, expires_at_ms, fence
    FROM {locks} l WHERE l.key = the_key FOR UPDATE;
    now_ms := {now_ms};
  END IF;
  counted := 0;
  IF expires_at_ms > now_ms - {tolerance_ms} THEN
    IF waiters_channel <> '' AND lock_id <> new_lock_id THEN
      INSERT INTO {waiters} (key, channel, since_ms) VALUES (the_key, waiters_channel, now_ms)
      ON CONFLICT (key, channel) DO UPDATE SET since_ms = excluded.since_ms;
    END IF;
    RETURN;
  END IF;
  IF fence ~ '^[0-9]{15}$' THEN
    last_fence := fence::bigint;
  END IF;
  IF last_fence >= {max_fence} THEN
    counted := NULL;
    RETURN;
  END IF;
  INSERT INTO {fences} AS c (fence_key, fence, key_debug) VALUES (the_fence_key, last_fence + 1, the_user_key)
  ON CONFLICT (fence_key) DO UPDATE SET fence = greatest(c.fence + 1, excluded.fence)
  WHERE c.fence >= 0 AND c.fence < {max_fence}
  RETURNING c.fence INTO counted;
  IF counted IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO {locks} AS l (key, lock_id, expires_at_ms, acquired_at_ms, fence, user_key)
  VALUES (the_key, new_lock_id, now_ms + ttl_ms, now_ms, lpad(counted::text, 15, '0'), the_user_key)
  ON CONFLICT (key) DO UPDATE SET
    lock_id = excluded.lock_id,
    expires_at_ms = excluded.expires_at_ms,
    acquired_at_ms = excluded.acquired_at_ms,
    fence = excluded.fence,
    user_key = excluded.user_key
  WHERE l.expires_at_ms <= excluded.acquired_at_ms - {tolerance_ms}
  RETURNING l.lock_id, l.expires_at_ms, l.fence INTO lock_id, expires_at_ms, fence;
END $$;

-- Frees the lock if it has this id, and tells the processes that wait for it, unless PostgreSQL has no room for that: then
-- the commit would fail, and a hint is not worth it. It takes its turn too: a waiter has registered either before this looks
-- for waiters, or not before this has committed. The commit is not flushed: if a crash undoes it, the lock stays until it
-- expires, and it is never held twice.
CREATE OR REPLACE FUNCTION {release}(the_lock_id TEXT, its_key TEXT, OUT expires_at_ms BIGINT, OUT now_ms BIGINT)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  our_turn BOOLEAN;
  awaited BOOLEAN;
  told BOOLEAN;
  waiter RECORD;
BEGIN
  IF its_key = '' THEN
    SELECT l.key INTO its_key FROM {locks} l WHERE l.lock_id = the_lock_id;
    IF its_key IS NULL THEN
      RETURN;
    END IF;
  END IF;
  our_turn := pg_advisory_xact_lock(hashtext(its_key)) IS NOT NULL;
  DELETE FROM {locks} l WHERE l.lock_id = the_lock_id
  RETURNING l.expires_at_ms, EXISTS (SELECT FROM {waiters} w WHERE w.key = its_key) INTO expires_at_ms, awaited;
  now_ms := {now_ms};
  IF awaited THEN
    told := {can_notify};
    FOR waiter IN DELETE FROM {waiters} w WHERE w.key = its_key RETURNING w.channel LOOP
      IF told THEN
        PERFORM pg_notify(waiter.channel, its_key);
      END IF;
    END LOOP;
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
