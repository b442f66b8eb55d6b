-- Creates what is missing.

CREATE TABLE IF NOT EXISTS syncguard_locks (
  key TEXT PRIMARY KEY,
  lock_id TEXT NOT NULL UNIQUE,
  expires_at_ms INTEGER NOT NULL,
  acquired_at_ms INTEGER NOT NULL,
  fence TEXT NOT NULL,
  user_key TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS syncguard_locks_expires ON syncguard_locks (expires_at_ms);

CREATE TABLE IF NOT EXISTS syncguard_fence_counters (
  fence_key TEXT PRIMARY KEY,
  fence INTEGER NOT NULL DEFAULT 0,
  key_debug TEXT
) STRICT, WITHOUT ROWID
