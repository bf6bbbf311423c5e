// What words of headers do not mean, although they look like a field.

/** Headers that a field is not, although they begin or end with a word of it: `stockmin` is not stock, `Parent SKU` no SKU. */
export const otherHeaders: Readonly<Record<string, RegExp>> = {
  sku: /^(?:parent|main|master|manufact|mfr|mpn|vendor|supplier|group|related|variation)/u,
  stock: /min|alert|threshold|low|warn|melde|status|track|reorder|max|unit|code/u,
};

/** Words that tell the kind of a row, and name no category. */
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

/** Things beside the record itself that it holds too: their names and prices are not its own. */
const otherThings =
  /(?:^|[.:@])(?:brand|producer|manufacturer|maker|vendor|supplier|seller|merchant|shipping|delivery|author|user|unit|images?|mime|media|tax|vat|series|warranty|categor(?:y|ies))[.:@]/iu;

/** Attributes that say how an element is written: `name@xml:lang`, `sku@type`. */
export const formAttributes = /.@(?:xml:)?(?:lang|language|type|mode|rel|id|version|status)$/iu;

/** Whether a name of several parts is of something else than the record: `producer@name`, `shipping.price`. */
export function isOtherThing(name: string): boolean {
  return otherThings.test(name);
}

/** Last parts of names that say nothing of their own: `category.name`, `price@gross`, `title.en`. */
export const emptyPart =
  /^(?:name|path|title|label|value|amount|text|#text|gross|brutto|qty|quantity|en|de|fr|es|it|nl|pl)$/iu;
