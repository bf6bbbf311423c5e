-- The identifier of a product tells its number, so that no index has to hold the identifiers: that was a ninth of all that
-- an import of products wrote. Those given out before do not tell it, and are found in product_id.

CREATE TABLE product_id (
  id  TEXT PRIMARY KEY,
  seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO product_id SELECT id, seq FROM product ORDER BY id;

CREATE TABLE new_product (
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
  updated_at      INTEGER NOT NULL
) STRICT;

INSERT INTO new_product SELECT * FROM product ORDER BY seq;
DROP TABLE product;
ALTER TABLE new_product RENAME TO product;

CREATE TRIGGER product_slug_moves AFTER UPDATE OF slug_hash ON product WHEN old.slug_hash <> new.slug_hash BEGIN
  DELETE FROM product_slug WHERE hash = old.slug_hash AND row = old.seq;
  INSERT OR IGNORE INTO product_slug VALUES (new.slug_hash, new.seq);
END;
