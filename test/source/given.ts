// What the tests of this folder read with: fields of every kind, and files made on the spot.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Problem } from '../../src/core/diagnostics/refusal-codes.js';
import type { Warning } from '../../src/core/diagnostics/warning-codes.js';
import {
  boolean,
  choice,
  decimal,
  type Fields,
  integer,
  key,
  list,
  reference,
  statuses,
  text,
} from '../../src/core/fields/fields.js';
import { openSource, type SourceOptions } from '../../src/source/open-source.js';
import type { SourceForm } from '../../src/source/source.js';
import { sharedFolders } from '../run-folder.js';

const folder = mkdtempSync(join(tmpdir(), `${sharedFolders}source-`));

/** Fields like a product's. */
export const product: Fields = {
  sku: key('the key', { maxBytes: 190 }),
  external_id: text('another name of the key', { aliasOf: 'sku' }),
  currency: text('a currency', { format: 'currency' }),
  name: text('its name'),
  description: text('what it is'),
  ean: text('barcode'),
  status: choice('status', ['draft', 'activated', 'suspended']),
  category: reference('category', 'category', ['cate_']),
  price: decimal('price', 2),
  weight: decimal('weight', 3),
  stock: integer('units'),
  grades: list(
    'grades',
    { grade: choice('grade', ['new', 'like_new', 'good']), price: decimal('price', 2), stock: integer('units') },
    'grade',
    { entryValue: 'price' },
  ),
  attributes: list(
    'values',
    { type: text('characteristic'), value: text('value'), unit: text('unit'), position: integer('order') },
    'type',
    { entryValue: 'value', isMultiple: true },
  ),
  media: list('photos', { file: text('file'), is_main: boolean('cover'), position: integer('order') }, 'file'),
};

/** Fields like a characteristic's. */
export const characteristic: Fields = {
  name: key('the key'),
  kind: choice('kind', ['custom', 'colour']),
  values: list('values', { label: text('label'), hex: text('hex'), status: choice('status', statuses) }, 'label'),
};

/** Fields like a category's. */
export const category: Fields = {
  name: key('the key'),
  parent: text('the name of the one above'),
  reference: text('another number'),
};

let files = 0;

/** Writes a file of its own and gives its path. */
export function fileOf(content: string | Uint8Array, name = 'file.csv'): string {
  const path = join(folder, `${files++}-${name}`);
  writeFileSync(path, content);
  return path;
}

/** What came out of a file: items, refused records as `!code`, lines, the failure at its end, and what was noted. */
export interface Outcome {
  readonly items: unknown[];
  readonly lines: number[];
  /** Their texts, and the form in which refused ones are written back, where `raws` asks for them. */
  readonly raws: string[];
  readonly form: SourceForm | undefined;
  readonly problems: (Problem & { externalId: string })[];
  readonly failure: string | undefined;
  readonly unknown: Record<string, number>;
  readonly notes: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Reads a whole file. */
export async function readAll(file: string, options: Partial<SourceOptions> = {}, fields = product): Promise<Outcome> {
  const source = await openSource(fields, 'sku' in fields ? 'sku' : 'name', { file, ...options });
  const items: unknown[] = [];
  const lines: number[] = [];
  const raws: string[] = [];
  const problems: Outcome['problems'] = [];
  let failure: string | undefined;
  try {
    for await (const chunk of source.chunks) {
      for (const entry of chunk.entries) {
        if (entry.kind !== 'unreadable') items.push(entry.item);
        else {
          problems.push({ ...entry.problem, externalId: entry.externalId });
          items.push(`!${entry.problem.code}`);
        }
      }
      lines.push(...chunk.lines);
      raws.push(...(chunk.raws ?? []));
    }
  } catch (cause) {
    failure = (cause as Error).message;
  } finally {
    await source.close();
  }
  return {
    items,
    lines,
    raws,
    form: source.form,
    problems,
    failure,
    unknown: Object.fromEntries(source.unknown()),
    notes: source.notes().map(({ words }) => words),
    warnings: source.warnings(),
  };
}

/** Reads a CSV text. */
export function readCsv(content: string, options: Partial<SourceOptions> = {}, fields = product): Promise<Outcome> {
  return readAll(fileOf(content), options, fields);
}
