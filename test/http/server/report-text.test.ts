// The answer is whole before the commit, and bounded: at most 16 KiB for an item.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rawEntry } from '../../../src/core/entry.js';
import type { Line, Report } from '../../../src/core/import-report.js';
import { resources } from '../../../src/core/resources/index.js';
import { reportText } from '../../../src/http/server/imports/report-text.js';
import { anyCharacter } from '../../any-character.js';
import { givenServer } from './given-server.js';

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: anyCharacter, maxLength: 100 }) },
  fc.constantFrom('\0'.repeat(400), '\ud800'.repeat(3000), '😀'.repeat(4000), 'x'.repeat(20_000), '"'.repeat(9000)),
);
const lines: fc.Arbitrary<Line> = fc.record({
  index: fc.nat(),
  external_id: text,
  action: fc.constantFrom('created', 'updated', 'unchanged', 'refused'),
  id: fc.constantFrom(null, 'prod_1'),
  code: fc.constantFrom(null, 'field_type'),
  title: fc.constantFrom(null, 'A title'),
  reason: fc.option(text),
  notice: fc.array(fc.record({ code: fc.constant('c'), field: text, message: text }), { maxLength: 40 }),
  changes: fc.array(fc.record({ field: text, from: fc.oneof(text, fc.nat()), to: text }), { maxLength: 40 }),
});
const report = (data: readonly Line[]): Report => {
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0, total: data.length };
  return { object: 'list', resource: 'product', dry_run: false, data, ...counts };
};

it('has at most 16 KiB for a line, counts what it left out, and leaves other lines as they are', () => {
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 4 }), (data) => {
      const told = JSON.parse(reportText(report(data))) as Report;
      expect(told.data.length).toBe(data.length);
      for (const [i, line] of told.data.entries()) {
        expect(Buffer.byteLength(JSON.stringify(line))).toBeLessThanOrEqual(16 * 1024);
        const whole = JSON.parse(JSON.stringify(data[i])) as Line;
        if (Buffer.byteLength(JSON.stringify(whole)) <= 16 * 1024) expect(line).toEqual(whole);
        else expect(line.notice.at(-1)?.code).toBe('more_omitted');
        expect([line.index, line.action, line.id, line.code]).toEqual([
          whole.index,
          whole.action,
          whole.id,
          whole.code,
        ]);
      }
    }),
    { numRuns: 100 },
  );
});

it('of millions of notices is made without making their text first', () => {
  const notice = new Array(3_000_000).fill({ code: 'c', field: 'f', message: 'm'.repeat(200) });
  const line: Line = {
    index: 0,
    external_id: 'x',
    action: 'created',
    id: null,
    code: null,
    title: null,
    reason: null,
    notice,
  };
  expect(reportText(report([line])).length).toBeLessThan(17_000);
});

it('comes before the commit: where making it fails, nothing is stored', async () => {
  const given = await givenServer();
  const product = resources.find(({ name }) => name === 'product') ?? expect.unreachable();
  const batch = [rawEntry({ sku: 'never', currency: 'EUR' })];
  const fail = (): never => {
    throw new RangeError('Invalid string length');
  };
  const receipt = { owner: 'o', key: 'k', fingerprint: 'f', textOf: fail };
  await expect(given.catalog.importOnce(product, batch, {}, receipt)).rejects.toThrow('Invalid string length');
  const reports = given.catalog.importBatches(product, [batch], { accept: fail });
  await expect(reports[Symbol.asyncIterator]().next()).rejects.toThrow('Invalid string length');
  expect(await given.catalog.read(product, { key: 'never' })).toBeUndefined();
  await given.stop();
});
