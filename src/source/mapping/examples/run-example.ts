// Runs an example of a mapping: writes its rows to files in a private folder, and reads these with the sections of the mapping.
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Entry } from '../../../core/entry.js';
import { CatalogError } from '../../../core/errors.js';
import type { Fields } from '../../../core/fields/fields.js';
import { privateFolder } from '../../../files/private-folder.js';
import { openFile } from '../../open-file.js';
import type { ExampleRow, Mapping, MappingExample, MappingSection, Section, TableRule } from '../mapping.js';
import { ofValues } from '../table-form.js';

/** What came out of an example: items by resource, as JSON has them, and the problems of refused rows. */
export interface ExampleOutcome {
  readonly items: Readonly<Record<string, readonly unknown[]>>;
  readonly problems: readonly { readonly field: string; readonly code: string }[];
}

/** A mapping to be tested: each of its sections with the resource that it makes. */
export interface TestedMapping {
  readonly mapping: Mapping;
  readonly sections: readonly {
    readonly resource: { readonly command: string; readonly fields: Fields; readonly key: string };
    readonly mapped: MappingSection;
  }[];
}

/**
 * Runs one example.
 * @throws CatalogError `usage` where the mapping does not fit the rows
 */
export async function runExample(
  { mapping, sections }: TestedMapping,
  example: MappingExample,
): Promise<ExampleOutcome> {
  const folder = privateFolder();
  try {
    const files = filesOf(mapping, example, folder.path);
    const items: Record<string, unknown[]> = {};
    const problems: ExampleOutcome['problems'][number][] = [];
    for (const { resource, mapped } of sections) {
      const { file: named, sheet, record, items: list } = mapped.section;
      const file = files.of(named ?? sheet ?? record ?? list);
      if (file === undefined) continue;
      const made = items[resource.command] ?? [];
      items[resource.command] = made;
      for (const entry of await entriesOf(file, resource, inExample(mapped, example, files))) {
        if (entry.kind === 'raw') made.push(JSON.parse(JSON.stringify(entry.item)));
        else if (entry.kind === 'unreadable') problems.push({ field: entry.problem.field, code: entry.problem.code });
      }
    }
    return { items, problems };
  } finally {
    folder.discard();
  }
}

async function entriesOf(
  file: string,
  { fields, key }: TestedMapping['sections'][number]['resource'],
  mapped: MappingSection,
): Promise<Entry[]> {
  const form = mapped.isExample ? { format: 'json' as const, items: '.' } : { format: 'csv' as const, delimiter: ',' };
  const source = await openFile(fields, key, { file, ...form, mapped });
  const entries: Entry[] = [];
  try {
    for await (const chunk of source.chunks) entries.push(...chunk.entries);
  } finally {
    await source.close();
  }
  return entries;
}

/** The section without the format and the file of the feed: an example has files of its own. */
function inExample(
  { now: _, section, tables, paths, read, ...mapped }: MappingSection,
  { now }: MappingExample,
  { isTable, of }: ExampleFiles,
): MappingSection {
  const plain = <T extends Section | TableRule>({ file, sheet, record, items, ...rest }: T): T => {
    const name = file ?? sheet ?? record ?? items;
    const path = name === undefined ? undefined : of(name);
    return { ...rest, ...(path !== undefined && { file: basename(path) }) } as T;
  };
  return {
    ...mapped,
    ...(now !== undefined && { now: Date.parse(now) / 1000 }),
    isExample: !isTable,
    read: ofValues(read),
    section: plain(section),
    tables: Object.fromEntries(
      Object.entries(tables).map(([name, { read: own = {}, ...table }]) => [
        name,
        { ...plain(table), read: ofValues(own), isOfSection: true },
      ]),
    ),
    ...(paths && { paths: { ...paths, section: plain(paths.section) } }),
  };
}

/** The files of an example: as tables, or as JSON documents; by file, sheet, or where in a file records are. */
interface ExampleFiles {
  readonly isTable: boolean;
  readonly of: (name: string | undefined) => string | undefined;
}

/** Writes the rows of an example: as a table where all are texts, numbers and the like, else as a JSON document. */
function filesOf(mapping: Mapping, example: MappingExample, folder: string): ExampleFiles {
  const named = Object.entries(example.files ?? {});
  const all: readonly (readonly [string, readonly ExampleRow[]])[] =
    example.rows === undefined ? named : [['', example.rows], ...named];
  if (all.length === 0) throw new CatalogError('usage', 'An example needs rows: or files:.');
  const isTable = isTabular(
    mapping,
    all.flatMap(([, rows]) => rows),
  );
  const paths = new Map(
    all.map(([name, rows], i) => {
      const path = join(folder, `${i}.${isTable ? 'csv' : 'json'}`);
      writeFileSync(path, isTable ? csvOf(rows, columnsOf(mapping, name)) : JSON.stringify(rows));
      return [name, path] as const;
    }),
  );
  return { isTable, of: (name: string | undefined) => paths.get(name ?? '') ?? paths.get('') };
}

function isTabular({ read, import: sections }: Mapping, rows: readonly ExampleRow[]): boolean {
  if (read.format !== undefined) return read.format === 'csv' || read.format === 'tsv';
  const places = [read, ...sections].flatMap(({ record, items }) => record ?? items ?? []);
  return places.length === 0 && rows.every((row) => Object.values(row).every((cell) => typeof cell !== 'object'));
}

/** The columns of a file: all that the rows of any example have. Cells that a row does not name are empty. */
function columnsOf({ examples = [] }: Mapping, name: string): string[] {
  const rows = examples.flatMap((one) => (name === '' ? one.rows : one.files?.[name]) ?? []);
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function csvOf(rows: readonly ExampleRow[], columns: readonly string[]): string {
  const line = (cells: readonly unknown[]) =>
    `${cells.map((cell) => `"${String(cell ?? '').replaceAll('"', '""')}"`).join(',')}\n`;
  return [columns, ...rows.map((row) => columns.map((column) => row[column]))].map(line).join('');
}
