-- What is kept of imports: runs, what each changed, what feeds list, and what they no longer list.

-- One import: a command, or the POSTs that came with one Catalog-Run. `id` is its number with leading zeros.
CREATE TABLE run (
  id         text COLLATE "C" PRIMARY KEY,
  key        text COLLATE "C" NOT NULL UNIQUE,
  feed       text NOT NULL,
  state      text NOT NULL,
  created_at bigint NOT NULL,
  ended_at   bigint,
  seen_at    bigint NOT NULL,
  process    text NOT NULL,
  exit       bigint,
  chunks     bigint NOT NULL,
  created    bigint NOT NULL,
  updated    bigint NOT NULL,
  unchanged  bigint NOT NULL,
  refused    bigint NOT NULL,
  total      bigint NOT NULL,
  detail     text NOT NULL
);

CREATE TABLE run_series (
  id   text COLLATE "C" PRIMARY KEY,
  last bigint NOT NULL
);

-- What one transaction of a run changed, packed: rows of single fields took 60 bytes a change instead of 15.
CREATE TABLE run_change (
  id         text COLLATE "C" PRIMARY KEY,
  created_at bigint NOT NULL,
  filter     text NOT NULL,
  body       text NOT NULL
);

CREATE INDEX run_change_by_age ON run_change (created_at);

-- What was set for feeds: one row.
CREATE TABLE feed_settings (
  id       text COLLATE "C" PRIMARY KEY,
  settings text NOT NULL
);

-- What the last complete runs of a feed read of a resource. `keys` is megabytes for a large feed.
CREATE TABLE feed_listing (
  id       text COLLATE "C" PRIMARY KEY,
  feed     text NOT NULL,
  resource text NOT NULL,
  runs     text NOT NULL,
  keys     text NOT NULL,
  read_by  text NOT NULL
);

-- Records that were suspended because their run was undone or their feed lists them no longer.
CREATE TABLE suspension (
  id     text COLLATE "C" PRIMARY KEY,
  status text NOT NULL,
  run    text NOT NULL
);

-- What a feed last sent of a record, while feeds are ranked.
CREATE TABLE feed_offer (
  id         text COLLATE "C" PRIMARY KEY,
  record     text NOT NULL,
  run        text NOT NULL,
  line       bigint NOT NULL,
  fields     text NOT NULL,
  created_at bigint NOT NULL
);

-- Which item was applied last to a product: the halves of its fingerprint, 0 where something else changed the product since; and
-- the count of reference_epoch at that time, 0 where the item does not depend on it.
ALTER TABLE product
  ADD COLUMN applied_high  bigint NOT NULL DEFAULT 0,
  ADD COLUMN applied_low   bigint NOT NULL DEFAULT 0,
  ADD COLUMN applied_epoch bigint NOT NULL DEFAULT 0;

-- How far the records have come that products refer to: one row. `key` is the secret of the fingerprints.
CREATE TABLE reference_epoch (
  id       text COLLATE "C" PRIMARY KEY,
  key_high bigint NOT NULL,
  key_low  bigint NOT NULL,
  count    bigint NOT NULL,
  moved_at bigint NOT NULL
);

INSERT INTO reference_epoch
SELECT 'references', (random() * 4294967295)::bigint - 2147483648, (random() * 4294967295)::bigint - 2147483648, 1, 0;

-- How many transactions changed the catalog: a transaction decided on a snapshot sees by it whether others changed anything
-- meanwhile.
ALTER TABLE catalog ADD COLUMN changes bigint NOT NULL DEFAULT 0;

-- What the last transactions wrote, while several writers are at work: hashes of keys. `number` is the count of catalog.changes
-- that a transaction left; its row is that of number modulo 64.
CREATE TABLE recent_change (
  slot   smallint PRIMARY KEY,
  number bigint   NOT NULL,
  hashes text     NOT NULL
);
