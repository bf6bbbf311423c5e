-- The catalog on PostgreSQL. Versions are numbered as SQLite's are. Names without a schema are looked for in the one that the
-- catalog is in.
--
-- Identifiers are time-ordered text (TypeID). `key` holds a name folded for comparison (NFC, lower case); no collation
-- decides what is the same name: text is compared by its bytes. Prices are cents, weights thousandths. Times are Unix
-- seconds. References are NULL where there is none, texts ''. Nothing is ever deleted by an import: an entry left out of its
-- list has listed = 0.

-- One row. Whoever changes the catalog locks it (FOR UPDATE) while deciding and writing.
CREATE TABLE catalog (
  only_row     smallint PRIMARY KEY CHECK (only_row = 1),
  version      integer  NOT NULL,
  last_product bigint   NOT NULL            -- the number that the identifier of the last new product ends in
);

-- The last transaction that each writer committed: where a connection was lost while it waited for the answer to COMMIT, it is
-- found out here whether that was done.
CREATE TABLE commit_token (
  writer     text   COLLATE "C" PRIMARY KEY,
  token      bigint NOT NULL,
  created_at bigint NOT NULL
);

CREATE TABLE file     (id text COLLATE "C" PRIMARY KEY, name text NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL);
CREATE TABLE brand    (id text COLLATE "C" PRIMARY KEY, name text NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL);
CREATE TABLE warranty (id text COLLATE "C" PRIMARY KEY, name text NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL);
CREATE TABLE page     (id text COLLATE "C" PRIMARY KEY, name text NOT NULL, created_at bigint NOT NULL, updated_at bigint NOT NULL);

CREATE TABLE customer (
  id          text   COLLATE "C" PRIMARY KEY,
  external_id text   COLLATE "C" NOT NULL UNIQUE,
  created_at  bigint NOT NULL,
  updated_at  bigint NOT NULL
);

CREATE TABLE shop_order (
  id          text   COLLATE "C" PRIMARY KEY,
  external_id text   COLLATE "C" NOT NULL UNIQUE,
  created_at  bigint NOT NULL,
  updated_at  bigint NOT NULL
);

CREATE TABLE shop_order_line (
  shop_order  text     COLLATE "C" NOT NULL REFERENCES shop_order (id),
  external_id text     COLLATE "C" NOT NULL,
  status      text     NOT NULL,
  listed      smallint NOT NULL CHECK (listed IN (0, 1)),
  position    bigint   NOT NULL,
  PRIMARY KEY (shop_order, external_id)
);

CREATE TABLE characteristic (
  id            text     COLLATE "C" PRIMARY KEY,
  key           text     COLLATE "C" NOT NULL UNIQUE,
  name          text     NOT NULL,
  kind          text     NOT NULL CHECK (kind IN ('custom', 'colour')),
  unit          text     NOT NULL,
  scope         text     NOT NULL CHECK (scope IN ('catalog', 'category', 'product')),
  scope_ident   text     COLLATE "C",
  position      bigint   NOT NULL,
  status        text     NOT NULL CHECK (status IN ('activated', 'suspended')),
  shared        smallint NOT NULL CHECK (shared IN (0, 1)),
  listed_values bigint   NOT NULL,          -- how many values its closed list has; 0: any value is accepted
  created_at    bigint   NOT NULL,
  updated_at    bigint   NOT NULL
);

CREATE TABLE characteristic_value (
  id             text     COLLATE "C" PRIMARY KEY,
  characteristic text     COLLATE "C" NOT NULL REFERENCES characteristic (id),
  key            text     COLLATE "C" NOT NULL,
  label          text     NOT NULL,
  hex            text     NOT NULL,
  position       bigint   NOT NULL,
  status         text     NOT NULL CHECK (status IN ('activated', 'suspended')),
  listed         smallint NOT NULL CHECK (listed IN (0, 1)),
  description    text     NOT NULL,
  link_label     text     NOT NULL,
  link_page      text,
  UNIQUE (characteristic, key)
);

CREATE TABLE category (
  id              text   COLLATE "C" PRIMARY KEY,
  key             text   COLLATE "C" NOT NULL UNIQUE,
  name            text   NOT NULL,
  parent          text   COLLATE "C" REFERENCES category (id),
  description     text   NOT NULL,
  image           text,
  position        bigint NOT NULL,
  status          text   NOT NULL CHECK (status IN ('activated', 'suspended')),
  slug            text   COLLATE "C" NOT NULL UNIQUE,
  seo_title       text   NOT NULL,
  seo_description text   NOT NULL,
  seo_image       text,
  reference       text   NOT NULL,
  warranty        text,
  created_at      bigint NOT NULL,
  updated_at      bigint NOT NULL
);

CREATE INDEX category_by_parent ON category (parent);

CREATE TABLE product_group (
  id         text   COLLATE "C" PRIMARY KEY,
  name       text   COLLATE "C" NOT NULL UNIQUE,
  status     text   NOT NULL CHECK (status IN ('activated', 'suspended')),
  created_at bigint NOT NULL,
  updated_at bigint NOT NULL
);

CREATE TABLE product_group_axis (
  id             text     COLLATE "C" PRIMARY KEY,
  product_group  text     COLLATE "C" NOT NULL REFERENCES product_group (id),
  source         text     NOT NULL CHECK (source IN ('characteristic', 'grade', 'custom')),
  characteristic text     COLLATE "C" REFERENCES characteristic (id),
  name           text     NOT NULL,
  kind           text     NOT NULL CHECK (kind IN ('pill', 'swatch', 'card', 'list')),
  price_mode     text     NOT NULL CHECK (price_mode IN ('price', 'from', 'diff', 'none', '')),
  position       bigint   NOT NULL,
  status         text     NOT NULL CHECK (status IN ('activated', 'suspended')),
  listed         smallint NOT NULL CHECK (listed IN (0, 1))
);

CREATE INDEX product_group_axis_by_group ON product_group_axis (product_group);

-- A quarter of each page is left free for the next versions of its rows: the prices and stocks that change in a usual night are then
-- written without new entries in the indexes (HOT updates), and the table stays at its size. 200,000 other prices take the server a
-- quarter less time. With half of each page free they take it half of the time, but unchanged ones 0.1 s more of 0.4.
CREATE TABLE product (
  id              text   COLLATE "C" PRIMARY KEY,
  sku             text   COLLATE "C" NOT NULL UNIQUE,
  status          text   NOT NULL CHECK (status IN ('draft', 'activated', 'suspended', 'deleted')),
  name            text   NOT NULL,
  description     text   NOT NULL,
  ean             text   NOT NULL,
  category        text   COLLATE "C" REFERENCES category (id),
  product_group   text   COLLATE "C" REFERENCES product_group (id),
  brand           text,
  warranty        text,
  condition       text   NOT NULL,
  currency        text   NOT NULL,
  price           bigint,                   -- cents
  price_compare   bigint,                   -- cents
  weight          bigint,                   -- thousandths
  stock           bigint NOT NULL,
  stock_threshold bigint NOT NULL,
  slug            text   COLLATE "C" NOT NULL UNIQUE,
  seo_title       text   NOT NULL,
  seo_description text   NOT NULL,
  seo_image       text,
  badge           text   NOT NULL,
  tag             text   NOT NULL,
  note            text   NOT NULL,
  listed_grades   bigint NOT NULL,          -- how many grades it has; above 0, price and stock follow from them
  created_at      bigint NOT NULL,
  updated_at      bigint NOT NULL,
  -- Which item was applied to it last: the halves of its fingerprint, 0 where something else changed the product since; and
  -- the count of reference_epoch at that time, 0 where the item does not depend on it.
  applied_high    bigint NOT NULL DEFAULT 0,
  applied_low     bigint NOT NULL DEFAULT 0,
  applied_epoch   bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 75);

CREATE TABLE product_grade (
  product  text     COLLATE "C" NOT NULL REFERENCES product (id),
  grade    text     COLLATE "C" NOT NULL CHECK (grade IN ('new', 'like_new', 'very_good', 'good', 'poor')),
  price    bigint,                          -- cents
  stock    bigint,
  status   text     NOT NULL CHECK (status IN ('activated', 'suspended')),
  listed   smallint NOT NULL CHECK (listed IN (0, 1)),
  position bigint   NOT NULL,
  PRIMARY KEY (product, grade)
) WITH (fillfactor = 75);

-- `ordinal` tells the values apart that a product has of one characteristic.
CREATE TABLE product_attribute (
  product        text     COLLATE "C" NOT NULL REFERENCES product (id),
  characteristic text     COLLATE "C" NOT NULL REFERENCES characteristic (id),
  ordinal        bigint   NOT NULL,
  value          text     NOT NULL,
  unit           text     NOT NULL,
  position       bigint   NOT NULL,
  listed         smallint NOT NULL CHECK (listed IN (0, 1)),
  PRIMARY KEY (product, characteristic, ordinal)
);

CREATE TABLE product_media (
  product  text     COLLATE "C" NOT NULL REFERENCES product (id),
  file     text     COLLATE "C" NOT NULL,
  is_main  smallint NOT NULL CHECK (is_main IN (0, 1)),
  position bigint   NOT NULL,
  status   text     NOT NULL CHECK (status IN ('activated', 'suspended')),
  listed   smallint NOT NULL CHECK (listed IN (0, 1)),
  PRIMARY KEY (product, file)
);

CREATE TABLE review (
  id          text     COLLATE "C" PRIMARY KEY,
  external_id text     COLLATE "C" NOT NULL UNIQUE,
  status      text     NOT NULL CHECK (status IN ('pending', 'published', 'rejected', 'deleted')),
  customer    text     COLLATE "C" NOT NULL REFERENCES customer (id),
  shop_order  text     COLLATE "C" REFERENCES shop_order (id),
  order_item  text     NOT NULL,            -- the external_id of a line of that order, '' where there is none
  product_sku text     NOT NULL,            -- the product is looked up by it whenever the review is read
  name        text     NOT NULL,
  rating      smallint NOT NULL CHECK (rating BETWEEN 1 AND 5),
  text        text     NOT NULL,
  lang        text     NOT NULL,
  created_at  bigint   NOT NULL,
  updated_at  bigint   NOT NULL
);

-- The last number given out for a generated slug: category/phones 3 means that phones-3 was.
CREATE TABLE slug_series (
  stem text   COLLATE "C" PRIMARY KEY,
  last bigint NOT NULL
);

-- API keys. Only the SHA-256 of a key is kept; scopes are separated by spaces; times are Unix seconds.
CREATE TABLE api_key (
  id         text   COLLATE "C" PRIMARY KEY,
  name       text   NOT NULL,
  digest     text   NOT NULL,
  scopes     text   NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  revoked_at bigint
);

-- The report on a batch that was sent with an Idempotency-Key, for 24 hours. The owner is a key's id and a path.
CREATE TABLE receipt (
  owner       text   COLLATE "C" NOT NULL,
  key         text   COLLATE "C" NOT NULL,
  fingerprint text   NOT NULL,
  report      text   NOT NULL,
  created_at  bigint NOT NULL,
  PRIMARY KEY (owner, key)
);

CREATE INDEX receipt_by_age ON receipt (created_at);

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
