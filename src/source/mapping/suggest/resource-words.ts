// Words of headers and file names, in the languages that suppliers use, with the resource that they speak for.

/** Parts of headers that speak for a resource, each once. */
export const resourceHeaderWords: Readonly<Record<string, readonly string[]>> = {
  products: [
    'sku',
    'artikel',
    'price',
    'preis',
    'prezzo',
    'цена',
    'stock',
    'bestand',
    'quantity',
    'ean',
    'gtin',
    'isbn',
    'weight',
    'currency',
    'brand',
    'vendor',
    'product',
    'partnum',
  ],
  categories: ['parent', 'path', 'subcategor', 'level', 'ancestor', 'children'],
  characteristics: [
    'values',
    'options',
    'hex',
    'rgb',
    'unit',
    'attribute',
    'frontend',
    'metrictype',
    'metricfamily',
    'maxcharacters',
  ],
  groups: ['axes', 'axis'],
  reviews: ['rating', 'review', 'customer', 'nickname'],
};

/** Parts of file names that do. */
export const resourceFileWords: Readonly<Record<string, readonly string[]>> = {
  products: ['product', 'produkt', 'artikel', 'article', 'inventory', 'sets', 'books'],
  categories: ['categor', 'kategori', 'taxonomy', 'theme', 'tree'],
  characteristics: ['characteristic', 'attribute', 'option', 'colo', 'product-type', 'product_type'],
  groups: ['groups', 'family_variants', 'models'],
  reviews: ['review', 'bewertung'],
};
