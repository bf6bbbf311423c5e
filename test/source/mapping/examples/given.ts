// What the tests of examples run: a mapping as text, whose sections make records like products.
import type { TestedMapping } from '../../../../src/source/mapping/examples/run-example.js';
import { readMapping } from '../../../../src/source/mapping/read-mapping.js';
import { category, fileOf, product } from '../../given.js';

/** A mapping whose sections make what they say, by default products. */
export function tested(text: string): TestedMapping {
  const mapping = readMapping(fileOf(text, 'map.yaml'));
  const sections = mapping.import.map((section) => ({
    resource:
      section.to === 'categories'
        ? { command: 'categories', fields: category, key: 'name' }
        : { command: 'products', fields: product, key: 'sku' },
    mapped: { name: 'map.yaml', place: 'the mapping', section, tables: mapping.tables, read: mapping.read },
  }));
  return { mapping, sections };
}
