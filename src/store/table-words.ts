// What the tables of a store hold, in the words of its users.
import { counted } from '../core/text/counted.js';

/** Tables whose plural is not their name with an s. */
const words: Readonly<Record<string, string>> = {
  category: 'categories',
  warranty: 'warranties',
  shop_order: 'orders',
  shop_order_line: 'order lines',
  product_group: 'groups',
  product_group_axis: 'axes of groups',
  product_grade: 'grades of products',
  product_attribute: 'attributes of products',
  product_media: 'photos of products',
  characteristic_value: 'values of characteristics',
  api_key: 'API keys',
  run_change: 'changed records of runs',
  run_series: 'counters of runs',
  slug_series: 'counters of slugs',
  feed_settings: 'settings of feeds',
  feed_listing: 'lists of feeds',
  feed_offer: 'values of lower feeds',
  suspension: 'suspended records',
  receipt: 'reports kept for repeated requests',
};

/** The rows of a table: `products`, `photos of products`. */
export function tableWords(table: string): string {
  return words[table] ?? `${table}s`;
}

/** A number of rows: `1 order`, `206 photos of products`. */
export function countedRows(count: number, table: string): string {
  const [noun = '', ...of] = tableWords(table).split(' of ');
  return [counted(count, noun), ...of].join(' of ');
}
