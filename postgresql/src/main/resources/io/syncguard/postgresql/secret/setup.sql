-- Creates what is missing, and the functions anew; what ../lock/setup.sql says of that holds here too.

SELECT pg_advisory_xact_lock(hashtext('syncguard setup'));

SELECT set_config('search_path', relnamespace::regnamespace::text || ', ' || current_setting('search_path'), true)
FROM pg_class WHERE oid = coalesce(to_regclass('{secrets}'), to_regclass('{locks}'));

-- What is left of a secret. Its payload is in another row, so that a view does not write it again.
CREATE TABLE IF NOT EXISTS {secrets} (
  id TEXT COLLATE "C" PRIMARY KEY,
  views BIGINT NOT NULL,
  expires_at_ms BIGINT NOT NULL
) WITH (fillfactor = 50);

-- What a view must present: a hash, or nothing where the secret has no key.
ALTER TABLE {secrets} ADD COLUMN IF NOT EXISTS proof TEXT COLLATE "C" NOT NULL DEFAULT '';

CREATE INDEX IF NOT EXISTS {secrets_index} ON {secrets} (expires_at_ms);

CREATE TABLE IF NOT EXISTS {payloads} (
  id TEXT COLLATE "C" PRIMARY KEY,
  payload BYTEA NOT NULL
);

-- Removes a secret, and tells when it would have expired; null if there was none. A crash must not bring it back, so the
-- commit is flushed whatever the session says. A step that removes both rows begins with that of the secret.
CREATE OR REPLACE FUNCTION {burn_secret}(the_id TEXT, OUT expires_at_ms BIGINT, OUT now_ms BIGINT)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
BEGIN
  DELETE FROM {secrets} s WHERE s.id = the_id RETURNING s.expires_at_ms INTO expires_at_ms;
  now_ms := {now_ms};
  DELETE FROM {payloads} p WHERE p.id = the_id;
  IF current_setting('synchronous_commit') = 'off' AND set_config('synchronous_commit', 'on', true) = 'on' THEN
    RETURN;
  END IF;
END $$;

-- Counts a view and reveals the payload; the last view removes the secret. All views take turns by the secret's row, and
-- the clock is read after that. A view that does not present the proof changes nothing. A crash must not give a view back
-- that was seen: it is flushed like a removal.
CREATE OR REPLACE FUNCTION {view_secret}(
  the_id TEXT, presented TEXT, OUT known BOOLEAN, OUT proven BOOLEAN, OUT views_left BIGINT, OUT payload BYTEA)
LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  views_before BIGINT;
  expiry_ms BIGINT;
BEGIN
  SELECT s.views, s.expires_at_ms, s.proof = presented INTO views_before, expiry_ms, proven
    FROM {secrets} s WHERE s.id = the_id FOR UPDATE;
  known := expiry_ms > {now_ms};
  IF NOT known THEN
    PERFORM {burn_secret}(the_id);
  END IF;
  IF known IS NOT TRUE OR proven IS NOT TRUE OR views_before NOT BETWEEN 1 AND {most_views} THEN
    RETURN;
  END IF;
  SELECT p.payload INTO payload FROM {payloads} p WHERE p.id = the_id;
  IF payload IS NULL THEN
    RETURN;
  END IF;
  views_left := views_before - 1;
  IF views_left = 0 THEN
    PERFORM {burn_secret}(the_id);
    RETURN;
  END IF;
  UPDATE {secrets} s SET views = views_left WHERE s.id = the_id;
  IF current_setting('synchronous_commit') = 'off' AND set_config('synchronous_commit', 'on', true) = 'on' THEN
    RETURN;
  END IF;
END $$
