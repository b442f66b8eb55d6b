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
) STRICT, WITHOUT ROWID;

-- A name in use, its limit, and the last ticket that was given out. Goes with the last permit.
CREATE TABLE IF NOT EXISTS syncguard_semaphores (
  name TEXT PRIMARY KEY,
  slots INTEGER NOT NULL,
  last_ticket INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS syncguard_permits (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'granted', 'held')),
  ticket INTEGER NOT NULL,
  deadline_ms INTEGER NOT NULL,
  slot INTEGER,
  expires_at_ms INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS syncguard_permits_deadline ON syncguard_permits (name, deadline_ms);

CREATE INDEX IF NOT EXISTS syncguard_permits_queue ON syncguard_permits (name, ticket) WHERE state = 'waiting';

CREATE INDEX IF NOT EXISTS syncguard_permits_taken ON syncguard_permits (name) WHERE state <> 'waiting';

CREATE INDEX IF NOT EXISTS syncguard_permits_granted ON syncguard_permits (state) WHERE state = 'granted';

-- What is left of a secret, and what a view must present: a hash, or nothing where it has no key. Its payload is a row of
-- its own, so that a view does not write it again.
CREATE TABLE IF NOT EXISTS syncguard_secrets (
  id TEXT PRIMARY KEY,
  views INTEGER NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  proof TEXT NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS syncguard_secrets_expires ON syncguard_secrets (expires_at_ms);

CREATE TABLE IF NOT EXISTS syncguard_secret_payloads (
  id TEXT PRIMARY KEY,
  payload BLOB NOT NULL
) STRICT;

CREATE TRIGGER IF NOT EXISTS syncguard_secrets_burn AFTER DELETE ON syncguard_secrets
BEGIN DELETE FROM syncguard_secret_payloads WHERE id = old.id; END;

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
