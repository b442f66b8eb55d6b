-- Creates what is missing, and the functions anew; what ../lock/setup.sql says of that holds here too.

SELECT pg_advisory_xact_lock(hashtext('syncguard setup'));

SELECT set_config('search_path', relnamespace::regnamespace::text || ', ' || current_setting('search_path'), true)
FROM pg_class WHERE oid = coalesce(to_regclass('{counters}'), to_regclass('{locks}'));

-- How far a window has come, and when it ends; null if it has no end, until the next increment gives it one.
CREATE TABLE IF NOT EXISTS {counters} (
  key TEXT COLLATE "C" PRIMARY KEY,
  count BIGINT NOT NULL,
  resets_at_ms BIGINT
) WITH (fillfactor = 50);

CREATE INDEX IF NOT EXISTS {counters_index} ON {counters} (resets_at_ms);

-- When a limiter is idle, and when its row can go: up to a minute later, so that the index changes once in a while only.
CREATE TABLE IF NOT EXISTS {limiters} (
  name TEXT COLLATE "C" PRIMARY KEY,
  idle_at_ns BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL
) WITH (fillfactor = 50);

CREATE INDEX IF NOT EXISTS {limiters_index} ON {limiters} (expires_at_ms);

-- Counts one, unless the window under way has had its most. Increments take turns by the counter's row, and the clock is
-- read after that. An increment of a full window is told so without a turn, and writes nothing.
--
-- counted is 0 if the limit was reached, null if the counter is damaged.
CREATE OR REPLACE FUNCTION {increment_counter}(
  the_key TEXT, most BIGINT, window_ms BIGINT, OUT counted BIGINT, OUT ends_at_ms BIGINT
) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  reached BIGINT;
  known BOOLEAN;
  now_ms BIGINT;
BEGIN
  SELECT c.count, c.resets_at_ms INTO reached, ends_at_ms FROM {counters} c WHERE c.key = the_key;
  IF reached BETWEEN most AND {most_count} AND ends_at_ms > {now_ms} THEN
    counted := 0;
    RETURN;
  END IF;
  LOOP
    SELECT c.count, c.resets_at_ms INTO reached, ends_at_ms FROM {counters} c WHERE c.key = the_key FOR UPDATE;
    known := FOUND;
    now_ms := {now_ms};
    IF reached NOT BETWEEN 0 AND {most_count} THEN
      RETURN;
    END IF;
    IF NOT known OR ends_at_ms <= now_ms THEN
      reached := 0;
      ends_at_ms := NULL;
    END IF;
    counted := CASE WHEN reached < most THEN reached + 1 ELSE 0 END;
    IF counted = 0 AND ends_at_ms IS NOT NULL THEN
      RETURN;
    END IF;
    ends_at_ms := coalesce(ends_at_ms, now_ms + window_ms);
    IF known THEN
      UPDATE {counters} c SET count = greatest(reached, counted), resets_at_ms = ends_at_ms WHERE c.key = the_key;
      RETURN;
    END IF;
    INSERT INTO {counters} (key, count, resets_at_ms) VALUES (the_key, counted, ends_at_ms) ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN;
    END IF;
  END LOOP;
END $$;

-- Allows by GCRA, in turns as above. Returns 0 if allowed, otherwise in how many ns it would be. A refusal writes
-- nothing, unless the limiter's time is too far ahead, as when the clock was set back. The commit is not flushed: if a crash
-- undoes it, what was allowed just before is allowed once more.
CREATE OR REPLACE FUNCTION {acquire_rate}(the_name TEXT, cost_ns BIGINT, burst_ns BIGINT, OUT wait_ns BIGINT)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  idle_ns BIGINT;
  known BOOLEAN;
  now_ns BIGINT;
  idle_ms BIGINT;
BEGIN
  SELECT l.idle_at_ns INTO idle_ns FROM {limiters} l WHERE l.name = the_name;
  now_ns := {now_us} * 1000;
  wait_ns := greatest(idle_ns, now_ns) - now_ns + cost_ns - burst_ns;
  IF wait_ns BETWEEN 1 AND cost_ns THEN
    RETURN;
  END IF;
  LOOP
    SELECT l.idle_at_ns INTO idle_ns FROM {limiters} l WHERE l.name = the_name FOR UPDATE;
    known := FOUND;
    now_ns := {now_us} * 1000;
    wait_ns := least(greatest(idle_ns, now_ns) - now_ns, burst_ns) + cost_ns - burst_ns;
    EXIT WHEN wait_ns > 0 AND idle_ns <= now_ns + burst_ns;
    idle_ns := now_ns + burst_ns + least(wait_ns, 0);
    idle_ms := idle_ns / 1000000 + 1;
    IF known THEN
      UPDATE {limiters} l SET
        idle_at_ns = idle_ns,
        expires_at_ms = CASE WHEN l.expires_at_ms < idle_ms THEN idle_ms + {keep_idle_ms} ELSE l.expires_at_ms END
      WHERE l.name = the_name;
    ELSE
      INSERT INTO {limiters} (name, idle_at_ns, expires_at_ms) VALUES (the_name, idle_ns, idle_ms + {keep_idle_ms})
      ON CONFLICT DO NOTHING;
    END IF;
    IF FOUND THEN
      wait_ns := greatest(wait_ns, 0);
      EXIT;
    END IF;
  END LOOP;
  IF set_config('synchronous_commit', 'off', true) = 'off' THEN
    RETURN;
  END IF;
END $$
