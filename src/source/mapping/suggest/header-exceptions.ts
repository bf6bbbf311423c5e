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
