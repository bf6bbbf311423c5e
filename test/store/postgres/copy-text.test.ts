// Rows in the text form of COPY: read back by its rules they are the same.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Row, Value } from '../../../src/core/rows/table.js';
import { cellsOf, copyMessages, plainCells } from '../../../src/store/postgres/copy-text.js';

const columns = ['id', 'name', 'price'];
const marks = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['\\', '\\'],
]);

/** Takes the heads of messages off, and checks their lengths. */
function textOf(messages: readonly Buffer[]): string {
  const parts = messages.map((message) => {
    expect(message[0]).toBe('d'.charCodeAt(0));
    expect(message.readInt32BE(1)).toBe(message.length - 1);
    return message.subarray(5);
  });
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
  fc.constantFrom(0, -0, 9, 10, 999_999_999, 1_000_000_000, -1_000_000_000, Number.MAX_SAFE_INTEGER, 0.5, 1e300),
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

it('goes out in messages of about a megabyte, however long a row is', () => {
  const rows: Row[] = Array.from({ length: 7 }, (_, i) => ({ id: i, name: 'ä\\'.repeat(i * 100_000), price: null }));
  const messages = copyMessages(columns, rows);
  expect(messages.length).toBeGreaterThan(1);
  expect(cellsIn(messages)).toEqual(rows.map(({ id, name }) => [String(id), name, null]));
  expect(copyMessages(columns, [])).toEqual([]);
});

it('takes cells by code and by the plain form alike', () => {
  const row = { price: 5, name: null, id: 'a' };
  const [compiled, plain]: Value[][] = [[], []];
  cellsOf(columns)(row, compiled as Value[]);
  plainCells(columns)(row, plain as Value[]);
  expect(compiled).toEqual(['a', null, 5]);
  expect(plain).toEqual(compiled);
});
