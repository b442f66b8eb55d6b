-- Creates what is missing.

CREATE TABLE IF NOT EXISTS syncguard_counters (
  key TEXT PRIMARY KEY,
  count INTEGER NOT NULL,
  resets_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS syncguard_counters_expires ON syncguard_counters (resets_at_ms);

CREATE TABLE IF NOT EXISTS syncguard_rate_limiters (
  name TEXT PRIMARY KEY,
  idle_at_ns INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS syncguard_rate_limiters_expires ON syncguard_rate_limiters (idle_at_ns)
