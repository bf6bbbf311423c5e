-- A category that moves takes the levels below it along: they are looked up, one level at a time.
CREATE INDEX category_by_parent ON category (parent) WHERE parent IS NOT NULL;
