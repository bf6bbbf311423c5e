-- What is kept of imports: runs, what each changed, what feeds list, and what they no longer list.

-- One import: a command, or the POSTs that came with one Catalog-Run. `id` is its number with leading zeros.
CREATE TABLE run (
  id         TEXT PRIMARY KEY,
  key        TEXT NOT NULL UNIQUE,
  feed       TEXT NOT NULL,
  state      TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  ended_at   INTEGER,
  seen_at    INTEGER NOT NULL,
  process    TEXT NOT NULL,
  exit       INTEGER,
  chunks     INTEGER NOT NULL,
  created    INTEGER NOT NULL,
  updated    INTEGER NOT NULL,
  unchanged  INTEGER NOT NULL,
  refused    INTEGER NOT NULL,
  total      INTEGER NOT NULL,
  detail     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE run_series (
  id   TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What one transaction of a run changed, packed: rows of single fields took 60 bytes a change instead of 15.
CREATE TABLE run_change (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  filter     TEXT NOT NULL,
  body       TEXT NOT NULL
) STRICT;

CREATE INDEX run_change_by_age ON run_change (created_at);

-- What was set for feeds: one row.
CREATE TABLE feed_settings (
  id       TEXT PRIMARY KEY,
  settings TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What the last complete runs of a feed read of a resource. `keys` is megabytes for a large feed.
CREATE TABLE feed_listing (
  seq      INTEGER PRIMARY KEY,
  id       TEXT NOT NULL UNIQUE,
  feed     TEXT NOT NULL,
  resource TEXT NOT NULL,
  runs     TEXT NOT NULL,
  keys     TEXT NOT NULL,
  read_by  TEXT NOT NULL
) STRICT;

-- Records that were suspended because their run was undone or their feed lists them no longer.
CREATE TABLE suspension (
  id     TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  run    TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- What a feed last sent of a record, while feeds are ranked.
CREATE TABLE feed_offer (
  id         TEXT PRIMARY KEY,
  record     TEXT NOT NULL,
  run        TEXT NOT NULL,
  line       INTEGER NOT NULL,
  fields     TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Ties the write-ahead log to the file: each transaction that changes something moves the token on (log-anchor.ts finds the
-- row in the bytes of a page: the three last columns keep their lengths and their order).
CREATE TABLE log_anchor (
  id     INTEGER PRIMARY KEY CHECK (id = 1),
  mark   TEXT NOT NULL,
  token  BLOB NOT NULL,
  before BLOB NOT NULL
) STRICT;

INSERT INTO log_anchor VALUES (1, 'catalog-import log anchor', randomblob(16), zeroblob(16));

-- Which item was applied last to a product, and how far the records have come that it refers to.
ALTER TABLE product ADD COLUMN applied_high INTEGER NOT NULL DEFAULT 0;
ALTER TABLE product ADD COLUMN applied_low INTEGER NOT NULL DEFAULT 0;
ALTER TABLE product ADD COLUMN applied_epoch INTEGER NOT NULL DEFAULT 0;

CREATE TABLE reference_epoch (
  id       TEXT PRIMARY KEY,
  key_high INTEGER NOT NULL,
  key_low  INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  moved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO reference_epoch VALUES ('references', random() >> 32, random() >> 32, 1, 0);
