// What SQLite keeps of a row comes back as core had it; compiled code does what its columns say, also where code from strings is forbidden.
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { resources, shopResources } from '../../../src/core/resources/index.js';
import type { Row, Table } from '../../../src/core/rows/table.js';
import { layoutOf, type Numbers } from '../../../src/store/sqlite/rows/layout.js';
import { execFile } from '../../child.js';
import { dumpOf } from '../../proof/dump.js';
import { runHere } from '../../proof/program.js';
import { folder } from '../given.js';

const tables = [...new Set([...resources, ...shopResources].flatMap((resource) => resource.tables))];

const value = fc.oneof(fc.string(), fc.integer(), fc.constant(null));
/** Texts where SQLite keeps a number that is made of the text. */
const texts = new Set(['id', 'slug', 'product', 'characteristic']);
const rowOf = (table: Table): fc.Arbitrary<Row> =>
  fc.record(Object.fromEntries(table.columns.map((name) => [name, texts.has(name) ? fc.string() : value])), {
    noNullPrototype: true,
  });

describe('compiled', () => {
  it.each(tables.map((table) => [table.name, table] as const))(
    'code for rows of %s does what a loop over the columns does',
    (_, table) => {
      const layout = layoutOf(table);
      const numbers: Numbers = { numberOf: (name, id) => name.length * 1000 + id.length };
      fc.assert(
        fc.property(rowOf(table), rowOf(table), (row, other) => {
          const code = layout.columns.map((name) => layout.code(name, 'row')).join();
          const compiled = new Function('row', 'numbers', 'hashes', `return [${code}];`)(row, numbers, layout.hashes);
          expect(compiled).toEqual(layout.columns.map((name) => layout.cell(name, row, numbers)));
          const cells = table.columns.map((name) => row[name] ?? null);
          expect(layout.decode(cells)).toEqual(Object.fromEntries(table.columns.map((name, i) => [name, cells[i]])));
          for (const one of [row, other]) {
            const differing = table.columns.filter((name) => row[name] !== one[name]);
            expect(table.same(row, one)).toBe(differing.length === 0);
            expect(table.differing(row, one)).toEqual(differing);
          }
        }),
        { numRuns: 50 },
      );
    },
  );
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
    const { lines } = await runHere(['run', demo, '--db', usual, '--output', 'ndjson', '--report', 'all', '--quiet']);
    expect(first.split('\n').slice(0, -1)).toHaveLength(lines.length);
    expect(dumpOf(plain).records).toEqual(dumpOf(usual).records);
    const second = await run(plain, forbidden);
    expect(second).toContain('"unchanged"');
    expect(second).not.toContain('"action":"created"');
  });
});
