-- Creates what is missing of the queue, which only clients that write need.

-- Who waits for a lock. Goes when it is granted the lock, when it leaves, and when its process has died.
CREATE TABLE IF NOT EXISTS syncguard_waiters (
  key TEXT NOT NULL,
  ticket INTEGER NOT NULL,
  lock_id TEXT NOT NULL UNIQUE,
  process TEXT NOT NULL,
  PRIMARY KEY (key, ticket)
) STRICT, WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS syncguard_waiters_process ON syncguard_waiters (process);

-- Until when the waiters of a process count as alive. Goes with its last waiter.
CREATE TABLE IF NOT EXISTS syncguard_processes (
  process TEXT PRIMARY KEY,
  alive_until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TRIGGER IF NOT EXISTS syncguard_waiters_gone AFTER DELETE ON syncguard_waiters
WHEN NOT EXISTS (SELECT 1 FROM syncguard_waiters WHERE process = OLD.process)
BEGIN DELETE FROM syncguard_processes WHERE process = OLD.process; END;

CREATE INDEX IF NOT EXISTS syncguard_locks_granted ON syncguard_locks (expires_at_ms)
WHERE expires_at_ms - acquired_at_ms = {grant_ms}
