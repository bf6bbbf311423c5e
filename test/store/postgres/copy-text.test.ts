// Rows in the text form of COPY: read back by its rules they are the same.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Row, Value } from '../../../src/core/rows/table.js';
import { cellsOf, copyMessages } from '../../../src/store/postgres/copy-text.js';

const columns = ['id', 'name', 'price'];
const marks = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\\', '\\'],
]);

/** Takes the heads of messages off. */
function textOf(pieces: readonly Buffer[]): string {
  const bytes = Buffer.concat(pieces);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe('d'.charCodeAt(0));
    const end = at + 1 + bytes.readInt32BE(at + 1);
    parts.push(bytes.subarray(at + 5, end));
    at = end;
  }
  return Buffer.concat(parts).toString();
}

function cellOf(text: string): string | null {
  return text === '\\N' ? null : text.replace(/\\(.)/gs, (_, mark) => marks.get(mark) ?? `?${mark}`);
}

/** What COPY reads. */
const cellsIn = (messages: readonly Buffer[]): (string | null)[][] =>
  textOf(messages)
    .split('\n')
    .slice(0, -1)
    .map((line) => line.split('\t').map(cellOf));

const cell = fc.oneof(
  fc.constant(null),
  fc.integer(),
  fc.constantFrom(
    ...[0, -0, 9, 10, 2_147_483_648, -9_999_999_999, 9_999_999_999, 10_000_000_000],
    ...[2 ** 53 - 1, 0.5, 1e300],
  ),
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('a', '\\', '\n', '\r', '\t', 'N', 'é', '€', '😀'), maxLength: 120 }),
);

it('holds any text, number and NULL', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 50 }), (rows) => {
      const written = copyMessages(
        columns,
        rows.map(([id, name, price]) => ({ id, name, price })),
      );
      const texts = (cells: readonly Value[]) => cells.map((value) => (value === null ? null : String(value)));
      expect(cellsIn(written)).toEqual(rows.map(texts));
    }),
    { seed: 22, numRuns: 200 },
  );
});

it('goes out in messages of a quarter of a megabyte and in long texts, wherever these are in a row', () => {
  const [usual, long] = [15_000, 40_000].map((times) => 'ä\\'.repeat(times)) as [string, string];
  const rows: Row[] = [
    ...Array.from({ length: 30 }, (_, id) => ({ id, name: usual, price: null })),
    { id: long, name: long, price: null },
    { id: 'a', name: long, price: long },
    { id: 'b', name: null, price: 1 },
  ];
  const pieces = copyMessages(columns, rows);
  expect(pieces.length).toBeGreaterThan(10);
  const expected = rows.map(({ id, name, price }) => [String(id), name, price === 1 ? '1' : price]);
  // A difference of such texts would fill the screen.
  expect(JSON.stringify(cellsIn(pieces)) === JSON.stringify(expected)).toBe(true);
  expect(copyMessages(columns, [])).toEqual([]);
});

it('takes cells in the order of the columns', () => {
  const row = { price: 5, name: null, id: 'a' };
  const cells: Value[] = [];
  cellsOf(columns)(row, cells);
  expect(cells).toEqual(['a', null, 5]);
});
