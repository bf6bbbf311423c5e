// The feeds of other shops, each with its mapping and the counts that a person made: the result of an import must agree.
// Counts are of created records by resource, then of items that are updates of earlier rows, and refusals by code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { feedFolder } from '../corpora.js';

export const present = existsSync(join(feedFolder, 'shops'));

export interface Feed {
  readonly name: string;
  /** The mapping in fixtures/maps. */
  readonly map: string;
  /** The file or folder, below the folder of feeds. */
  readonly place: string;
  readonly created: Readonly<Record<string, number>>;
  /** Rows that repeat a record of the same file. */
  readonly updated?: number;
  readonly refused?: Readonly<Record<string, number>>;
}

export const feeds: readonly Feed[] = [
  {
    name: 'WooCommerce',
    map: 'woocommerce',
    place: 'shops/woocommerce_sample_products.csv',
    // 24 rows: 11 simple, 1 external, 9 variations; and 2 heads of variations and 1 bundle, which are no products.
    created: { characteristics: 3, categories: 6, groups: 2, products: 21 },
  },
  {
    name: 'Shopify',
    map: 'shopify',
    place: 'shops/shopify_packt_product-data.csv',
    // 21 rows, one of them the second variant of a product; two types.
    created: { characteristics: 1, categories: 2, groups: 1, products: 21 },
  },
  {
    name: 'Magento 2',
    map: 'magento',
    place: 'shops/magento2_configurable_products.csv',
    created: { characteristics: 4, categories: 28, groups: 147, products: 1847 },
  },
  {
    name: 'Vendure',
    map: 'vendure',
    place: 'shops/vendure_products.csv',
    // 88 variants, of which two SKUs occur twice.
    created: { characteristics: 8, categories: 9, groups: 13, products: 86 },
    updated: 2,
  },
  {
    name: 'Oscar, fiction',
    map: 'oscar',
    place: 'shops/oscar_books_computers-in-fiction.csv',
    created: { categories: 3, products: 86 },
  },
  {
    name: 'Oscar, essential',
    map: 'oscar',
    place: 'shops/oscar_books_essential.csv',
    created: { categories: 3, products: 82 },
  },
  {
    name: 'Oscar, hacking',
    map: 'oscar',
    place: 'shops/oscar_books_hacking.csv',
    created: { categories: 3, products: 33 },
  },
  {
    name: 'OroCommerce',
    map: 'oro',
    place: 'shops/oro_b2b_products.csv',
    created: { characteristics: 22, categories: 12, products: 63 },
  },
  {
    name: 'PrestaShop',
    map: 'prestashop',
    place: 'shops',
    // 7 products, and 27 combinations of which two references occur twice.
    created: { characteristics: 3, categories: 3, groups: 4, products: 32 },
    updated: 2,
  },
  {
    name: 'Saleor',
    map: 'saleor',
    place: 'shops/saleor_populatedb.json',
    created: { characteristics: 9, categories: 16, groups: 32, products: 73 },
  },
  {
    name: 'Akeneo',
    map: 'akeneo',
    place: 'akeneo_icecat',
    // Two of 37 attributes have the same label.
    created: { characteristics: 36, categories: 168, groups: 50, products: 1239 },
  },
  {
    name: 'Lego colours',
    map: 'colours',
    place: 'bulk/lego/colors.csv',
    // 272 rows are the values of one record.
    created: { characteristics: 1 },
  },
  {
    name: 'Google taxonomy',
    map: 'taxonomy',
    place: 'categories/google_taxonomy_en_tree.json',
    created: { categories: 5595 },
  },
  {
    name: 'commercetools categories',
    map: 'commercetools-categories',
    place: 'categories/commercetools_categories.csv',
    created: { categories: 102 },
  },
  {
    name: 'Magento bags',
    map: 'magento-bags',
    place: 'shops/magento2_gear_bags.csv',
    // 14 rows over 276 lines; Gear, Bags, Collections and three collections.
    created: { characteristics: 1, categories: 6, products: 14 },
  },
  {
    name: 'Lego sets',
    map: 'sets',
    place: 'bulk/lego/sets.csv',
    created: { products: 24_849 },
  },
  {
    name: 'Lego part categories',
    map: 'part-categories',
    place: 'bulk/lego/part_categories.csv',
    created: { categories: 67 },
  },
  {
    name: 'commercetools stock',
    map: 'inventory',
    place: 'bulk/commercetools_inventory_26k.csv',
    created: { products: 26_137 },
  },
  {
    name: 'Fashion articles',
    map: 'styles',
    place: 'bulk/fashion_styles_44k.csv',
    // 44,446 rows, of which 22 have more cells than the header.
    created: { products: 44_424 },
    refused: { row_shape: 22 },
  },
  {
    name: 'Lego themes',
    map: 'themes',
    place: 'bulk/lego/themes.csv',
    // 476 themes, 15 of which precede their parents.
    created: { categories: 476 },
  },
  { name: 'Lego elements', map: 'elements', place: 'bulk/lego/elements.csv', created: { products: 102_068 } },
  {
    name: 'Best Buy',
    map: 'bestbuy',
    place: 'categories/bestbuy_categories.json',
    // 4,584 records, whose paths have 4,715 different beginnings: 2 differ in case only, and 1 ends in a page without a name.
    created: { categories: 4712 },
  },
  {
    name: 'Magento categories',
    map: 'magento-categories',
    place: 'categories/magento2_categories.csv',
    created: { categories: 28 },
  },
  {
    name: 'Magento attributes',
    map: 'magento-attributes',
    place: 'attributes/magento2_attributes_catalog.csv',
    created: { characteristics: 14 },
  },
  {
    name: 'Magento variants',
    map: 'magento-attributes',
    place: 'attributes/magento2_attributes_configurable.csv',
    created: { characteristics: 8 },
  },
  {
    name: 'Magento reviews',
    map: 'magento-reviews',
    place: 'reviews/magento2_products_reviews.csv',
    created: { customers: 1, reviews: 500 },
  },
  {
    name: 'Akeneo colours',
    map: 'akeneo-colours',
    place: 'akeneo_icecat/colors_hex.csv',
    // No header, 1,165 rows: more values than the 400 that one record has.
    created: {},
    refused: { too_many_entries: 1 },
  },
  {
    name: 'commercetools type',
    map: 'commercetools-types',
    place: 'attributes/commercetools_product-type.json',
    created: { characteristics: 21 },
  },
];
