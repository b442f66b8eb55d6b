-- Creates what is missing.

-- What is left of a secret, and what a view must present: a hash, or nothing where it has no key. Its payload is in
-- another row, so that a view does not write it again.
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
BEGIN DELETE FROM syncguard_secret_payloads WHERE id = old.id; END
