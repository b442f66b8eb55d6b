CREATE TABLE bare_locks (
  key TEXT PRIMARY KEY,
  lock_id TEXT NOT NULL UNIQUE,
  expires_at_ms INTEGER NOT NULL,
  acquired_at_ms INTEGER NOT NULL,
  fence TEXT NOT NULL,
  user_key TEXT NOT NULL
);
CREATE INDEX bare_locks_expiry ON bare_locks (expires_at_ms);
CREATE TABLE bare_fence_counters (fence_key TEXT PRIMARY KEY, fence INTEGER NOT NULL, key_debug TEXT);
