-- Creates what is missing.

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

CREATE INDEX IF NOT EXISTS syncguard_permits_granted ON syncguard_permits (state) WHERE state = 'granted'
