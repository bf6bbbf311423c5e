// What SQLite keeps of a row comes back as core had it; compiled code does what the plain code does, and without it all works.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resources, shopResources } from '../../../src/core/resources/index.js';
import { plainRowComparer, plainRowDiffer } from '../../../src/core/rows/row-comparer.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { layoutOf, type Numbers, plainDecoder } from '../../../src/store/sqlite/rows/layout.js';
import { execFile } from '../../child.js';
import { dumpOf } from '../../proof/dump.js';
import { folder } from '../given.js';

const tables = [...new Set([...resources, ...shopResources].flatMap((resource) => resource.tables))];

const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
/** Texts where SQLite keeps a number that is made of the text. */
const texts = new Set(['id', 'slug', 'product', 'characteristic']);
const rowOf = (table: Table): fc.Arbitrary<Row> =>
  fc.record(Object.fromEntries(table.columns.map((name) => [name, texts.has(name) ? fc.string() : value])), {
    noNullPrototype: true,
  });

describe('compiled and plain', () => {
  it.each(tables.map((table) => [table.name, table] as const))('code for rows of %s do the same', (_, table) => {
    const layout = layoutOf(table);
    const numbers: Numbers = { numberOf: (name, id) => name.length * 1000 + id.length };
    fc.assert(
      fc.property(rowOf(table), rowOf(table), (row, other) => {
        const code = layout.columns.map((name) => layout.code(name, 'row')).join();
        const compiled = new Function('row', 'numbers', 'hashes', `return [${code}];`)(row, numbers, layout.hashes);
        expect(compiled).toEqual(layout.columns.map((name) => layout.cell(name, row, numbers)));
        const cells = table.columns.map((name) => row[name] ?? null);
        expect(layout.decode(cells)).toEqual(plainDecoder(table.columns)(cells));
        for (const one of [row, other]) {
          expect(table.same(row, one)).toBe(plainRowComparer(table.columns)(row, one));
          expect(table.differing(row, one)).toEqual(plainRowDiffer(table.columns)(row, one));
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('where code from strings is forbidden', () => {
  const program = join(import.meta.dirname, '../../../bin/catalog-import.js');
  const demo = join(import.meta.dirname, '../../../fixtures/demo');

  it('the demo folder is imported as elsewhere, and is unchanged the second time', async () => {
    const run = async (db: string, ...flags: readonly string[]): Promise<string> => {
      const args = [...flags, program, 'run', demo, '--db', db, '--output', 'ndjson', '--report', 'all', '--quiet'];
      const ended = await execFile(process.execPath, args).catch((error) => error as { stdout: string });
      return ended.stdout;
    };
    const [plain, usual] = [join(folder, 'plain.db'), join(folder, 'usual.db')];
    const forbidden = '--disallow-code-generation-from-strings';
    const first = await run(plain, forbidden);
    expect(first.split('\n').length).toBe((await run(usual)).split('\n').length);
    expect(dumpOf(plain).records).toEqual(dumpOf(usual).records);
    const second = await run(plain, forbidden);
    expect(second).toContain('"unchanged"');
    expect(second).not.toContain('"action":"created"');
  });
});
