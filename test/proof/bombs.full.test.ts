// Files made to do harm, through the command line: a clear error that names the place, quickly, in bounded memory.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { allowed } from '../tier.js';
import { type Ended, runProgram } from './program.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-bombs-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** MiB. The program takes about 60 with nothing to do; the worst of these took 101. */
const mostMemory = 200;
/** Processor time, which others on the machine do not prolong as they do the time that passes: the worst takes 5 s. */
const longest = allowed(10_000);

/** By their byte. */
const members = new Map<string, Buffer>();

/** Gzip members in a row are one file: 16 MiB of one byte, over and over. */
function packed(byte: string, times: number, before = ''): Buffer {
  const member = members.get(byte) ?? gzipSync(Buffer.alloc(16 * 1024 * 1024, byte));
  members.set(byte, member);
  return Buffer.concat([gzipSync(before), ...Array.from({ length: times }, () => member)]);
}

interface Outcome {
  readonly ended: Ended;
  readonly mebibytes: number;
  readonly milliseconds: number;
}

async function feed(name: string, content: Buffer | string): Promise<Outcome> {
  const file = join(folder, name);
  const peak = join(folder, `${name}.peak`);
  writeFileSync(file, content);
  const args = ['products', file, '--db', join(folder, `${name}.db`), '--output', 'ndjson', '--quiet'];
  const ended = await runProgram(args, { tamper: `peak:${peak}` });
  rmSync(file);
  const [kibibytes = 0, milliseconds = 0] = readFileSync(peak, 'utf8').split(' ').map(Number);
  return { ended, mebibytes: kibibytes / 1024, milliseconds };
}

function expectBounded({ mebibytes, milliseconds }: Outcome): void {
  expect(mebibytes).toBeLessThan(mostMemory);
  expect(milliseconds).toBeLessThan(longest);
}

const deep = '['.repeat(100_000);
const keys = Array.from({ length: 1_000_000 }, (_, i) => `"key${i}":1`).join(',');
const rows = `sku,currency\n${Array.from({ length: 2_000 }, (_, i) => `SKU-${i},EUR\n`).join('')}`;

describe('a bomb is an error, not a crash', () => {
  it.each<readonly [what: string, name: string, content: () => Buffer | string]>([
    ['10 GiB of zeros, packed, as CSV', 'zeros.csv.gz', () => packed('\0', 640)],
    ['10 GiB of zeros, packed, as JSON', 'zeros.json.gz', () => packed('\0', 640)],
    ['10 GiB of zeros, packed, as NDJSON', 'zeros.ndjson.gz', () => packed('\0', 640)],
    ['10 GiB of zeros behind a header', 'header.csv.gz', () => packed('\0', 640, 'sku,name\n')],
    ['1 GiB without a line break', 'line.csv.gz', () => packed('a', 64, 'sku,name\n')],
    ['1 GiB of one JSON text', 'text.json.gz', () => packed('a', 64, '[{"sku":"')],
    ['256 MiB of white space before the JSON', 'space.json.gz', () => Buffer.concat([packed(' ', 16), gzipSync('!')])],
    ['a quote that is never closed', 'quote.csv', () => `sku,name\nA,"${'never closed\n'.repeat(2_000_000)}`],
    ['100,000 arrays in each other', 'arrays.json', () => deep],
    ['100,000 arrays in each other, in a field', 'field.json', () => `[{"sku":"A","name":${deep}`],
    ['100,000 objects in each other', 'objects.json', () => '{"a":'.repeat(100_000)],
    ['an object of a million keys', 'keys.json', () => `[{${keys}}]`],
    ['gzip that breaks off', 'broken.csv.gz', () => gzipSync(rows).subarray(0, -1000)],
  ])('%s: exit 5, and the place is named', async (_, name, content) => {
    const outcome = await feed(name, content());
    expect(outcome.ended.stderr).toMatch(/^[^\n]{20,500}\n$/);
    expect(outcome.ended.stderr).toContain(name);
    expect(outcome.ended.stderr).toMatch(/\bline [12]\b|gzip data is broken \(unexpected end/);
    expect(outcome.ended.code).toBe(5);
    expectBounded(outcome);
  });

  it.each<readonly [what: string, name: string, content: () => string]>([
    ['100,000 whole arrays in each other', 'whole.json', () => `[${deep}${']'.repeat(100_000)}]`],
    [
      'the same in a line of its own',
      'whole.ndjson',
      () => `${deep}${']'.repeat(100_000)}\n{"sku":"B","currency":"EUR"}\n`,
    ],
    ['in a field', 'inside.json', () => `[{"sku":"A","grades":${deep}${']'.repeat(100_000)}}]`],
    ['a broken line of NDJSON', 'arrays.ndjson', () => `${deep}\n{"sku":"B","currency":"EUR"}\n`],
    ['keys that mean something to JavaScript', 'proto.json', () => '[{"__proto__":{"sku":"A"},"constructor":1}]'],
  ])('%s: that item is refused, the others are not', async (_, name, content) => {
    const outcome = await feed(name, content());
    expect(outcome.ended.code).toBe(3);
    const [first = '{}', ...others] = outcome.ended.lines.filter((line) => line.includes('"action"'));
    expect(JSON.parse(first)).toMatchObject({ action: 'refused', index: 0, line: 1 });
    expect(first.length).toBeLessThan(2000);
    if (name.endsWith('.ndjson')) expect(JSON.parse(others[0] ?? '{}')).toMatchObject({ action: 'created', line: 2 });
    expectBounded(outcome);
  });
});
