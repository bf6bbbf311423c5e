// Words in headers that look like a field but are not one.

/** Headers that are not the field whose name they contain: `stockmin` is not stock, `Parent SKU` not the SKU. */
export const otherHeaders: Readonly<Record<string, RegExp>> = {
  sku: /^(?:parent|main|master|manufact|mfr|mpn|vendor|supplier|group|related|variation)|ean(?:13)?$|gtin|upc|isbn|bar(?:ra|re|cod)|strichcod|categor|kategor/u,
  // A price of a hundred pieces is not that of one.
  price: /(?:pro|per|je|par|por|za)\d{2,}/u,
  stock: /min|alert|threshold|low|warn|melde|status|track|reorder|max|unit|code/u,
};

/** Words for the kind of a row, which do not name a category. */
export const rowKinds: ReadonlySet<string> = new Set([
  'product',
  'simple',
  'variable',
  'variation',
  'variant',
  'configurable',
  'virtual',
  'downloadable',
  'grouped',
  'bundle',
  'parent',
  'child',
  'sku',
  'rule',
]);

/** Related things in a record: their names and prices are not the record's own. */
const otherThings =
  /(?:^|[.:@])(?:brand|producer|manufacturer|maker|vendor|supplier|seller|merchant|shipping|delivery|author|user|unit|images?|mime|media|tax|vat|series|warranty|categor(?:y|ies))[.:@]/iu;

/** Attributes about the form of an element: `name@xml:lang`, `sku@type`. */
export const formAttributes = /.@(?:xml:)?(?:lang|language|type|mode|rel|id|version|status)$/iu;

/** Whether a name with several parts belongs to something other than the record: `producer@name`, `shipping.price`. */
export function isOtherThing(name: string): boolean {
  return otherThings.test(name);
}

/** Last parts of names that have no meaning of their own: `category.name`, `price@gross`, `title.en`. */
export const emptyPart =
  /^(?:name|path|title|label|value|amount|text|#text|gross|brutto|qty|quantity|en|de|fr|es|it|nl|pl)$/iu;
