CREATE TABLE reference_locks (
  key TEXT PRIMARY KEY,
  lock_id TEXT NOT NULL UNIQUE,
  expires_at_ms BIGINT NOT NULL,
  acquired_at_ms BIGINT NOT NULL,
  fence TEXT NOT NULL,
  user_key TEXT NOT NULL
);
CREATE INDEX reference_locks_expiry ON reference_locks (expires_at_ms);
CREATE TABLE reference_fence_counters (
  fence_key TEXT PRIMARY KEY,
  fence BIGINT NOT NULL DEFAULT 0,
  key_debug TEXT
);
