-- What `serve` keeps: who may ask, and what was answered.

-- API keys. Only the SHA-256 of a key is kept; scopes are separated by spaces; times are Unix seconds.
CREATE TABLE api_key (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL,
  digest     TEXT NOT NULL,
  scopes     TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;

-- The report on a batch that was sent with an Idempotency-Key, for 24 hours. The owner is a key's id and a path.
CREATE TABLE receipt (
  owner       TEXT NOT NULL,
  key         TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  report      TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  PRIMARY KEY (owner, key)
) STRICT;

CREATE INDEX receipt_by_age ON receipt (created_at);
