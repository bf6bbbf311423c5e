// Words of headers and file names, in the languages of suppliers, with the resource they indicate.

/** Parts of headers that indicate a resource, each counted once. */
export const resourceHeaderWords = wordLists({
  products:
    'sku artikel price preis prezzo цена stock bestand quantity ean gtin isbn weight currency brand vendor product partnum',
  categories: 'parent path subcategor level ancestor children',
  characteristics: 'values options hex rgb unit attribute frontend metrictype metricfamily maxcharacters',
  groups: 'axes axis',
  reviews: 'rating review customer nickname',
});

/** Parts of file names that indicate a resource. */
export const resourceFileWords = wordLists({
  products: 'product produkt artikel article inventory sets books',
  categories: 'categor kategori taxonomy theme tree',
  characteristics: 'characteristic attribute option colo product-type product_type',
  groups: 'groups family_variants models',
  reviews: 'review bewertung',
});

function wordLists(texts: Readonly<Record<string, string>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(Object.entries(texts).map(([resource, text]) => [resource, text.split(' ')]));
}
