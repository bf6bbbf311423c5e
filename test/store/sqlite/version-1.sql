-- The catalog as version 1 made it: what is imported, and what of the shop it refers to.
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
  id            TEXT PRIMARY KEY,
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
) STRICT, WITHOUT ROWID;

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
-- own order. Between times these are found by reading them (store/sqlite/rows/deferred-index.ts). Not UNIQUE, as two records may trade
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
  id              TEXT NOT NULL UNIQUE,
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
  updated_at      INTEGER NOT NULL
) STRICT;

CREATE TABLE product_slug (
  hash INTEGER NOT NULL,
  row  INTEGER NOT NULL,
  PRIMARY KEY (hash, row)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER product_slug_moves AFTER UPDATE OF slug_hash ON product WHEN old.slug_hash <> new.slug_hash BEGIN
  DELETE FROM product_slug WHERE hash = old.slug_hash AND row = old.seq;
  INSERT OR IGNORE INTO product_slug VALUES (new.slug_hash, new.seq);
END;

CREATE TABLE product_grade (
  product  TEXT NOT NULL REFERENCES product (id) DEFERRABLE INITIALLY DEFERRED,
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
  product        TEXT NOT NULL REFERENCES product (id) DEFERRABLE INITIALLY DEFERRED,
  characteristic TEXT NOT NULL REFERENCES characteristic (id) DEFERRABLE INITIALLY DEFERRED,
  ordinal        INTEGER NOT NULL,
  value          TEXT NOT NULL,
  unit           TEXT NOT NULL,
  position       INTEGER NOT NULL,
  listed         INTEGER NOT NULL CHECK (listed IN (0, 1)),
  PRIMARY KEY (product, characteristic, ordinal)
) STRICT, WITHOUT ROWID;

CREATE TABLE product_media (
  product  TEXT NOT NULL REFERENCES product (id) DEFERRABLE INITIALLY DEFERRED,
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
