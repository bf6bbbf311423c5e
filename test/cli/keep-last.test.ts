// --on-duplicate keep-last: of rows that share a key only the last is applied, so that a second run changes nothing.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

interface Line {
  readonly line: number;
  readonly external_id: string;
  readonly action: string;
  readonly id: string | null;
  readonly code: string | null;
  readonly notice: readonly { readonly code: string; readonly message: string }[];
}

async function imported(cwd: string, file: string, ...more: readonly string[]) {
  const args = ['products', join(cwd, file), '--db', join(cwd, 'a.db'), '--on-duplicate', 'keep-last'];
  const said = await typedHere([...args, '--output', 'ndjson', '--report', 'all', ...more]);
  const lines: Line[] = said.stdout
    .split('\n')
    .filter((line) => line.includes('"action"'))
    .map((line) => JSON.parse(line));
  const short = lines.map(({ line, external_id: id, action, code }) => `${line} ${id} ${code ?? action}`);
  return { ...said, lines, short };
}

const priceOf = async (cwd: string, sku: string) =>
  JSON.parse((await typedHere(['get', 'product', '--sku', sku, '--db', join(cwd, 'a.db')])).stdout).price;

describe('--on-duplicate keep-last', () => {
  const feed = 'sku,currency,price\nA,EUR,1\nB,EUR,2\nA,EUR,3\nC,EUR,4\nA,EUR,5\n';

  it('names five of the keys that repeat, and counts all', async () => {
    const rows = Array.from({ length: 7 }, (_, i) => `K${i},EUR,1\n`).join('');
    const { stderr } = await imported(folder({ 'feed.csv': `sku,currency,price\n${rows}${rows}` }), 'feed.csv');
    expect(stderr.match(/\bK\d\b/g)).toEqual(['K0', 'K1', 'K2', 'K3', 'K4']);
    expect(stderr).toContain('7 ');
  });

  it('applies the last row of a key; the others are unchanged, with the line that counts', async () => {
    const cwd = folder({ 'feed.csv': feed });
    const first = await imported(cwd, 'feed.csv');
    expect(first.short).toEqual(['2 A unchanged', '3 B created', '4 A unchanged', '5 C created', '6 A created']);
    expect(first.lines[0]).toMatchObject({
      id: null,
      notice: [{ code: 'superseded', message: 'Line 6 has the same key and was imported instead.' }],
    });
    expect(first.code).toBe(0);
    expect(await priceOf(cwd, 'A')).toBe('5.00');
    const second = await imported(cwd, 'feed.csv');
    expect(second.lines.map(({ action }) => action)).toEqual(Array(5).fill('unchanged'));
    expect(second.lines[0]?.id).toBe(second.lines[4]?.id);
    expect(second.stderr).toContain(
      '2 rows repeat a key: "A" on lines 2 and 6, "A" on lines 4 and 6; only the last row of each key was applied',
    );
  });

  it('applies nothing of a key whose last row is refused', async () => {
    const cwd = folder({ 'feed.csv': 'sku,currency,price\nA,EUR,1\nB,EUR,2\nA,EUR,x\n' });
    const { short, code } = await imported(cwd, 'feed.csv');
    expect(short).toEqual(['2 A unchanged', '3 B created', '4 A field_format']);
    expect(code).toBe(3);
    expect((await typedHere(['get', 'product', '--sku', 'A', '--db', join(cwd, 'a.db')])).code).toBe(9);
  });

  it('tells every row of a key that repeats more often than a batch has rows', async () => {
    const rows = Array.from({ length: 4500 }, (_, i) => `A,EUR,${i}`);
    const cwd = folder({ 'feed.csv': `sku,currency,price\nB,EUR,1\n${rows.join('\n')}\nC,EUR,1\n` });
    const { short, code } = await imported(cwd, 'feed.csv');
    const before = rows.slice(0, -1).map((_, i) => `${i + 3} A unchanged`);
    expect(short).toEqual(['2 B created', ...before, '4502 A created', '4503 C created']);
    expect(code).toBe(0);
    expect(await priceOf(cwd, 'A')).toBe('4499.00');
  });

  it('keeps lines in their order over many batches, and the counts balance', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => `S-${i % 120},EUR,${i}.00`);
    const cwd = folder({ 'feed.csv': `sku,currency,price\n${rows.join('\n')}\n` });
    const { lines } = await imported(cwd, 'feed.csv');
    expect(lines.map(({ line }) => line)).toEqual(rows.map((_, i) => i + 2));
    expect(lines.filter(({ action }) => action === 'created')).toHaveLength(120);
    expect(lines.filter(({ notice }) => notice[0]?.code === 'superseded')).toHaveLength(380);
    expect(await priceOf(cwd, 'S-0')).toBe('480.00');
  });
});
