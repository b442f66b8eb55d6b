-- Creates what is missing. One at a time, because PostgreSQL's IF NOT EXISTS does not hold against others at work.

SELECT pg_advisory_xact_lock(hashtext('syncguard setup'));

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

CREATE UNLOGGED TABLE IF NOT EXISTS {waiters} (
  key TEXT COLLATE "C" NOT NULL,
  channel TEXT COLLATE "C" NOT NULL,
  since_ms BIGINT NOT NULL,
  PRIMARY KEY (key, channel)
)
