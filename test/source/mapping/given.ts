// What the tests of mappings read with: a mapping as text, and a file of one resource through it.
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import type { SourceOptions } from '../../../src/source/open-source.js';
import { fileOf, type Outcome, product, readAll } from '../given.js';

/** Reads a CSV (or other) text through a mapping. */
export function readMapped(
  mapping: string,
  content: string | Uint8Array,
  {
    name = 'feed.csv',
    fields = product,
    section = 0,
    ...options
  }: {
    name?: string;
    fields?: typeof product;
    section?: number;
  } & Partial<SourceOptions> = {},
): Promise<Outcome> {
  const { import: sections, read, tables, paths } = readMapping(fileOf(mapping, 'map.yaml'));
  const chosen = sections[section];
  if (chosen === undefined) throw new Error('the mapping has no such section');
  const { decimal, encoding, delimiter, format, skip, items, record, sheet } = { ...read, ...options };
  const mapped = {
    name: 'map.yaml',
    place: 'the mapping',
    section: chosen,
    tables,
    now: Date.parse('2026-11-24T12:00:00Z') / 1000,
    ...(paths && { paths }),
    read: { ...read, ...(decimal && { decimal }) },
  };
  return readAll(
    fileOf(content, name),
    {
      ...(encoding && { encoding }),
      ...(delimiter && { delimiter }),
      ...(format && { format }),
      ...(skip !== undefined && { skip }),
      ...(items !== undefined && { items }),
      ...(record !== undefined && { record }),
      ...(sheet !== undefined && { sheet }),
      ...options,
      mapped,
    },
    fields,
  );
}
