-- The catalog as it is made anew: what is imported, and what of the shop it refers to.
--
-- Identifiers are time-ordered text (TypeID). `key` holds a name folded for comparison (NFC, lower case); no collation
-- decides what is the same name. Prices are cents, weights thousandths. Times are Unix seconds. References are NULL
-- where there is none, texts ''. Nothing is ever deleted by an import: an entry left out of its list has listed = 0.

CREATE TABLE file     (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE brand    (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE warranty (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE page     (id TEXT PRIMARY KEY, name TEXT NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE customer (
  id          TEXT PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE shop_order (
  id          TEXT PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE shop_order_line (
  shop_order  TEXT NOT NULL REFERENCES shop_order (id) DEFERRABLE INITIALLY DEFERRED,
  external_id TEXT NOT NULL,
  status      TEXT NOT NULL,
  listed      INTEGER NOT NULL CHECK (listed IN (0, 1)),
  position    INTEGER NOT NULL,
  PRIMARY KEY (shop_order, external_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE characteristic (
  seq           INTEGER PRIMARY KEY,        -- counts up as records come
  id            TEXT NOT NULL UNIQUE,
  key           TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('custom', 'colour')),
  unit          TEXT NOT NULL,
  scope         TEXT NOT NULL CHECK (scope IN ('catalog', 'category', 'product')),
  scope_ident   TEXT,
  position      INTEGER NOT NULL,
  status        TEXT NOT NULL CHECK (status IN ('activated', 'suspended')),
  shared        INTEGER NOT NULL CHECK (shared IN (0, 1)),
  listed_values INTEGER NOT NULL,           -- how many values its closed list has; 0: any value is accepted
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;

CREATE TABLE characteristic_value (
  id             TEXT PRIMARY KEY,
  characteristic TEXT NOT NULL REFERENCES characteristic (id) DEFERRABLE INITIALLY DEFERRED,
  key            TEXT NOT NULL,
  label          TEXT NOT NULL,
  hex            TEXT NOT NULL,
  position       INTEGER NOT NULL,
  status         TEXT NOT NULL CHECK (status IN ('activated', 'suspended')),
  listed         INTEGER NOT NULL CHECK (listed IN (0, 1)),
  description    TEXT NOT NULL,
  link_label     TEXT NOT NULL,
  link_page      TEXT,
  UNIQUE (characteristic, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE category (
  seq             INTEGER PRIMARY KEY,      -- counts up as records come
  slug_hash       INTEGER NOT NULL,         -- FNV-1a of the slug, 32 bits with a sign; in front, as it is read alone
  id              TEXT NOT NULL UNIQUE,
  key             TEXT NOT NULL UNIQUE,
  name            TEXT NOT NULL,
  parent          TEXT REFERENCES category (id) DEFERRABLE INITIALLY DEFERRED,
  description     TEXT NOT NULL,
  image           TEXT,
  position        INTEGER NOT NULL,
  status          TEXT NOT NULL CHECK (status IN ('activated', 'suspended')),
  slug            TEXT NOT NULL,
  seo_title       TEXT NOT NULL,
  seo_description TEXT NOT NULL,
  seo_image       TEXT,
  reference       TEXT NOT NULL,
  warranty        TEXT,
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL
) STRICT;

-- Slugs come in no order: kept up with every row, an index of them has a page to write for nearly each. So it lags
-- behind: it holds the rows with seq up to late_index.upto, to which those that came since are added in one go, in its
-- own order. Between times these are found by reading them (store/sqlite/rows/late-index.ts). Not UNIQUE, as two records may trade
-- their slugs in one transaction; the rules see to it that a slug stands once.
CREATE TABLE late_index (
  name TEXT PRIMARY KEY,
  upto INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO late_index VALUES ('category_slug', 0), ('product_slug', 0);

CREATE TABLE category_slug (
  hash INTEGER NOT NULL,
  row  INTEGER NOT NULL,
  PRIMARY KEY (hash, row)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER category_slug_moves AFTER UPDATE OF slug_hash ON category WHEN old.slug_hash <> new.slug_hash BEGIN
  DELETE FROM category_slug WHERE hash = old.slug_hash AND row = old.seq;
  INSERT OR IGNORE INTO category_slug VALUES (new.slug_hash, new.seq);
END;

CREATE TABLE product_group (
  id         TEXT PRIMARY KEY,
  name       TEXT NOT NULL UNIQUE,
  status     TEXT NOT NULL CHECK (status IN ('activated', 'suspended')),
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE product_group_axis (
  id             TEXT PRIMARY KEY,
  product_group  TEXT NOT NULL REFERENCES product_group (id) DEFERRABLE INITIALLY DEFERRED,
  source         TEXT NOT NULL CHECK (source IN ('characteristic', 'grade', 'custom')),
  characteristic TEXT REFERENCES characteristic (id) DEFERRABLE INITIALLY DEFERRED,
  name           TEXT NOT NULL,
  kind           TEXT NOT NULL CHECK (kind IN ('pill', 'swatch', 'card', 'list')),
  price_mode     TEXT NOT NULL CHECK (price_mode IN ('price', 'from', 'diff', 'none', '')),
  position       INTEGER NOT NULL,
  status         TEXT NOT NULL CHECK (status IN ('activated', 'suspended')),
  listed         INTEGER NOT NULL CHECK (listed IN (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX product_group_axis_group ON product_group_axis (product_group);

CREATE TABLE product (
  seq             INTEGER PRIMARY KEY,      -- counts up as records come
  slug_hash       INTEGER NOT NULL,         -- FNV-1a of the slug, 32 bits with a sign; in front, as it is read alone
  id              TEXT NOT NULL,            -- its last six digits are seq, or it is in product_id
  sku             TEXT NOT NULL UNIQUE,
  -- ORed, since IN with more than two words costs a temporary table for every row: a fifth of the whole insert.
  status          TEXT NOT NULL CHECK (status = 'draft' OR status = 'activated' OR status = 'suspended' OR status = 'deleted'),
  name            TEXT NOT NULL,
  description     TEXT NOT NULL,
  ean             TEXT NOT NULL,
  category        TEXT REFERENCES category (id) DEFERRABLE INITIALLY DEFERRED,
  product_group   TEXT REFERENCES product_group (id) DEFERRABLE INITIALLY DEFERRED,
  brand           TEXT,
  warranty        TEXT,
  condition       TEXT NOT NULL,
  currency        TEXT NOT NULL,
  price           INTEGER,                  -- cents
  price_compare   INTEGER,                  -- cents
  weight          INTEGER,                  -- thousandths
  stock           INTEGER NOT NULL,
  stock_threshold INTEGER NOT NULL,
  slug            TEXT NOT NULL,
  seo_title       TEXT NOT NULL,
  seo_description TEXT NOT NULL,
  seo_image       TEXT,
  badge           TEXT NOT NULL,
  tag             TEXT NOT NULL,
  note            TEXT NOT NULL,
  listed_grades   INTEGER NOT NULL,         -- how many grades it has; above 0, price and stock follow from them
  created_at      INTEGER NOT NULL,
  updated_at      INTEGER NOT NULL,
  -- Which item was applied to it last: the halves of its fingerprint, 0 where something else changed the product since; and
  -- the count of reference_epoch at that time, 0 where the item does not depend on it.
  applied_high    INTEGER NOT NULL DEFAULT 0,
  applied_low     INTEGER NOT NULL DEFAULT 0,
  applied_epoch   INTEGER NOT NULL DEFAULT 0
) STRICT;

-- How far the records have come that products refer to: one row. `key` is the secret of the fingerprints.
CREATE TABLE reference_epoch (
  id       TEXT PRIMARY KEY,
  key_high INTEGER NOT NULL,
  key_low  INTEGER NOT NULL,
  count    INTEGER NOT NULL,
  moved_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO reference_epoch VALUES ('references', random() >> 32, random() >> 32, 1, 0);

-- Identifiers of products that were made elsewhere, and do not tell seq.
CREATE TABLE product_id (
  id  TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE product_slug (
  hash INTEGER NOT NULL,
  row  INTEGER NOT NULL,
  PRIMARY KEY (hash, row)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER product_slug_moves AFTER UPDATE OF slug_hash ON product WHEN old.slug_hash <> new.slug_hash BEGIN
  DELETE FROM product_slug WHERE hash = old.slug_hash AND row = old.seq;
  INSERT OR IGNORE INTO product_slug VALUES (new.slug_hash, new.seq);
END;

-- What belongs to products refers to them, and to characteristics, by number: identifiers of 31 letters would take more
-- than all else.
CREATE TABLE product_grade (
  product  INTEGER NOT NULL REFERENCES product (seq) DEFERRABLE INITIALLY DEFERRED,
  grade    TEXT NOT NULL CHECK (grade = 'new' OR grade = 'like_new' OR grade = 'very_good' OR grade = 'good' OR grade = 'poor'),
  price    INTEGER,                         -- cents
  stock    INTEGER,
  status   TEXT NOT NULL CHECK (status IN ('activated', 'suspended')),
  listed   INTEGER NOT NULL CHECK (listed IN (0, 1)),
  position INTEGER NOT NULL,
  PRIMARY KEY (product, grade)
) STRICT, WITHOUT ROWID;

-- `ordinal` tells the values apart that a product has of one characteristic.
CREATE TABLE product_attribute (
  product        INTEGER NOT NULL REFERENCES product (seq) DEFERRABLE INITIALLY DEFERRED,
  characteristic INTEGER NOT NULL REFERENCES characteristic (seq) DEFERRABLE INITIALLY DEFERRED,
  ordinal        INTEGER NOT NULL,
  value          TEXT NOT NULL,
  unit           TEXT NOT NULL,
  position       INTEGER NOT NULL,
  listed         INTEGER NOT NULL CHECK (listed IN (0, 1)),
  PRIMARY KEY (product, characteristic, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE product_media (
  product  INTEGER NOT NULL REFERENCES product (seq) DEFERRABLE INITIALLY DEFERRED,
  file     TEXT NOT NULL,
  is_main  INTEGER NOT NULL CHECK (is_main IN (0, 1)),
  position INTEGER NOT NULL,
  status   TEXT NOT NULL CHECK (status IN ('activated', 'suspended')),
  listed   INTEGER NOT NULL CHECK (listed IN (0, 1)),
  PRIMARY KEY (product, file)
) STRICT, WITHOUT ROWID;

CREATE TABLE review (
  id          TEXT PRIMARY KEY,
  external_id TEXT NOT NULL UNIQUE,
  status      TEXT NOT NULL CHECK (status IN ('pending', 'published', 'rejected', 'deleted')),
  customer    TEXT NOT NULL REFERENCES customer (id) DEFERRABLE INITIALLY DEFERRED,
  shop_order  TEXT REFERENCES shop_order (id) DEFERRABLE INITIALLY DEFERRED,
  order_item  TEXT NOT NULL,                -- the external_id of a line of that order, '' where there is none
  product_sku TEXT NOT NULL,                -- the product is looked up by it whenever the review is read
  name        TEXT NOT NULL,
  rating      INTEGER NOT NULL CHECK (rating BETWEEN 1 AND 5),
  text        TEXT NOT NULL,
  lang        TEXT NOT NULL,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The last number given out for a generated slug: category/phones 3 means that phones-3 was.
CREATE TABLE slug_series (
  stem TEXT PRIMARY KEY,
  last INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

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
