// The thread runs built code only, so these tests build the reader by itself and read with it: in child processes, whose
// memory can be measured, too.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { decimal, type Fields, key, text } from '../../../src/core/fields/fields.js';
import { expectationsOf } from '../../../src/source/contract/contract.js';
import { readMapping } from '../../../src/source/mapping/read-mapping.js';
import { openFile } from '../../../src/source/open-file.js';
import type { Chunk, Source, SourceOptions } from '../../../src/source/open-source.js';
import { openInThread, type ReadOrder } from '../../../src/source/worker/thread-source.js';
import { built } from '../../built.js';
import { execFile, outcome, startChild } from '../../child.js';
import { randomFrom } from '../../random.js';
import { allowed } from '../../tier.js';
import { until } from '../../until.js';

const folder = mkdtempSync(join(tmpdir(), 'thread-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const parts = await built(
  'source/open-source',
  'source/worker/reader-thread',
  'source/worker/start-thread',
  'core/fields/fields',
  'core/planning/recognition/fingerprint',
  'cli/import/heap-limit',
);

/** Reads a file and prints the result and the peak of memory. */
const script = `
const { openSource } = await import(${JSON.stringify(`file://${parts}/open-source.js`)});
const { key, text } = await import(${JSON.stringify(`file://${parts}/fields.js`)});
// As the command that imports does it.
(await import(${JSON.stringify(`file://${parts}/heap-limit.js`)})).limitHeap();
const { peakMemory } = await import(${JSON.stringify(new URL('../../peak-memory.mjs', import.meta.url).href)});
const [file, limit] = process.argv.slice(2);
let items = 0, refused = 0, failure, reading, first, last, unknown, overflowed, notes;
const repeats = [];
try {
  const source = await openSource({ sku: key(''), name: text('') }, 'sku', { file, watchKeys: 12000, ...(limit ? { limit: Number(limit) } : {}) });
  try {
    for await (const chunk of source.chunks) {
      for (const entry of chunk.entries) entry.kind === 'unreadable' ? refused++ : items++;
      first ??= chunk.entries[0].item;
      for (const { index, id, first } of chunk.repeats) if (repeats.length < 5) repeats.push([id, first, chunk.lines[index]]);
      last = { ...chunk.entries.at(-1).item, line: chunk.lines.at(-1) };
    }
  } catch (cause) { failure = [cause.constructor.name, cause.code, cause.message]; }
  reading = source.progress();
  unknown = Object.fromEntries(source.unknown());
  overflowed = source.overflowed();
  notes = source.notes().map(({ words }) => words);
  await source.close();
} catch (cause) { failure = [cause.constructor.name, cause.code, cause.message]; }
const mebibytes = Math.round(peakMemory() / 1024);
console.log(JSON.stringify({ items, refused, failure, reading, first, last, unknown, repeats, overflowed, notes, mebibytes }));
`;

interface Outcome {
  readonly items: number;
  readonly refused: number;
  readonly failure?: readonly [string, string, string];
  readonly reading: { readonly read: number; readonly size?: number };
  readonly first: unknown;
  readonly last: unknown;
  readonly unknown: Record<string, number>;
  readonly repeats: readonly (readonly [id: string, first: number, line: number])[];
  readonly overflowed: boolean;
  readonly notes: readonly string[];
  readonly mebibytes: number;
}

const program = join(folder, 'read.mjs');
writeFileSync(program, script);

async function readInChild(file: string, limit?: number): Promise<Outcome> {
  const { stdout } = await execFile(process.execPath, [program, file, ...(limit === undefined ? [] : [`${limit}`])]);
  return JSON.parse(stdout);
}

/** Reads what `chunks` writes to the child's stdin. */
async function readFromPipe(chunks: Iterable<string>): Promise<Outcome> {
  const child = startChild(process.execPath, [program, '-']);
  const stdin = child.stdin as Writable;
  const ended = outcome(child);
  for (const chunk of chunks) {
    // A reader that has given up closes the pipe.
    if (child.exitCode !== null || !stdin.writable) break;
    if (!stdin.write(chunk)) await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), ended]);
  }
  stdin.end();
  return JSON.parse((await ended).stdout);
}

function* times(count: number, chunk: string): Generator<string> {
  for (let i = 0; i < count; i++) yield chunk;
}

const rows = (count: number, row: (i: number) => string) =>
  `sku,name,foo\n${Array.from({ length: count }, (_, i) => row(i)).join('')}`;

/** Hands the thread a key after the first chunk, and prints how many items it has hashed, rightly and not. */
const hashing = `
const { openSource } = await import(${JSON.stringify(`file://${parts}/open-source.js`)});
const { key, list, text } = await import(${JSON.stringify(`file://${parts}/fields.js`)});
const { hashItem } = await import(${JSON.stringify(`file://${parts}/fingerprint.js`)});
const entry = { type: text(''), value: text('') };
const fields = { sku: key(''), name: text(''), tags: list('', entry, 'type') };
const source = await openSource(fields, 'sku', { file: process.argv[2], mayCheck: true });
const hashKey = { high: 5, low: -6 };
const found = { right: 0, wrong: 0, none: 0, raw: 0 };
for await (const { entries } of source.chunks) {
  source.hashWith(hashKey);
  for (const { kind, item, high, low } of entries) {
    const own = kind === 'validated' ? hashItem(hashKey, fields, item) : { high: 0, low: 0 };
    found[kind === 'raw' ? 'raw' : high === 0 && low === 0 ? 'none' : high === own.high && low === own.low ? 'right' : 'wrong']++;
  }
}
console.log(JSON.stringify(found));
`;

/** A member that only later records have. */
const late = (i: number) => (i < 3500 ? {} : { late: 'at last' });

/** What a file tells, which is the same in a thread of its own. */
async function toldAlike(fields: Fields, options: SourceOptions) {
  const told = async (source: Source) => {
    const all: Chunk[] = [];
    for await (const chunk of source.chunks) all.push(chunk);
    const { lines, raws, repeats, numbers } = all[0] as Chunk;
    const ended = [source.expected?.(), source.columns(), source.notes(), source.warnings(), source.leftOut()];
    const rest = [source.found, source.unknown(), source.overflowed(), source.progress()];
    await source.close();
    return { lines, raws, repeats, numbers, ended, rest };
  };
  const here = await told(await openFile(fields, 'sku', options));
  const worker = new Worker(new URL(`file://${parts}/reader-thread.js`));
  expect(await told(await openInThread(worker, { fields, keyField: 'sku', options }))).toEqual(here);
  return here;
}

describe('a file that is read in a thread of its own', () => {
  it('has the hashes of its items, of those that were read after their key was known', async () => {
    const file = join(folder, 'hashed.ndjson');
    const count = 54_000;
    const line = (i: number): string => {
      const tags = i % 3 === 0 ? {} : { tags: i % 100 === 7 ? 7 : [{ type: 'a', value: `b${i}` }, { type: 'Ж' }] };
      return JSON.stringify({ sku: `S${i}`, name: `name – ${'x'.repeat(i % 50)}`, ...tags });
    };
    writeFileSync(file, Array.from({ length: count }, (_, i) => line(i)).join('\n'));
    const read = join(folder, 'hash.mjs');
    writeFileSync(read, hashing);
    const { stdout } = await execFile(process.execPath, [read, file]);
    const { right, wrong, none, raw } = JSON.parse(stdout);
    expect(right + none + raw).toBe(count);
    expect({ wrong, raw }).toEqual({ wrong: 0, raw: count / 150 });
    expect(right).toBeGreaterThan(count / 2);
    expect(none).toBeGreaterThan(0);
  });

  it('reads a number of blocks of text ahead; a chunk with a long row counts for all that it was read from', async () => {
    const blocks = 6;
    const ahead = async (row: string): Promise<number> => {
      const file = join(folder, 'ahead.csv');
      const lines = Math.ceil((40 * 65_536) / row.length);
      writeFileSync(file, `sku,name\n${`${row}\n`.repeat(lines)}`);
      const worker = new Worker(new URL(`file://${parts}/reader-thread.js`));
      const { port1, port2: port } = new MessageChannel();
      const credit = new Int32Array(new SharedArrayBuffer(4)).fill(blocks);
      const [hashKey, isAwaited] = [
        new Int32Array(new SharedArrayBuffer(12)),
        new Int32Array(new SharedArrayBuffer(4)),
      ];
      const order = { fields: { sku: key(''), name: text('') }, keyField: 'sku', options: { file } };
      worker.postMessage({ ...order, credit, hashKey, isAwaited, port } satisfies ReadOrder, [port]);
      // It waits where there is somebody to be woken; woken for nothing it waits on.
      await until('the thread to wait', () => Atomics.load(credit, 0) <= 0 && Atomics.notify(credit, 0) === 1);
      await worker.terminate();
      let chunks = 0;
      for (let next = receiveMessageOnPort(port1); next !== undefined; next = receiveMessageOnPort(port1))
        if (next.message.kind === 'chunk') chunks++;
      return chunks;
    };
    expect(await ahead(`S1,${'name '.repeat(20)}`)).toBe(blocks);
    // So short that a block has several thousand, which take as much memory as several blocks.
    expect(await ahead('S1,a')).toBeLessThan(blocks / 2);
    // Four or five blocks each.
    expect(await ahead(`S1,${'long '.repeat(60_000)}`)).toBe(2);
  });

  it('tells all that is known of it in the end as in this thread: what is expected, counted, left out and noted', async () => {
    const file = join(folder, 'told.csv');
    const lines = [
      'A,Cup,1.50,12,x',
      'B,,2,13,',
      'sku,name,price,ean,foo',
      'A,Jug,900,12,y',
      'C,Pot',
      'D,Pan,3,1\ufffd,',
    ];
    writeFileSync(file, `sku,name,price,ean,foo\n${lines.join('\n')}\n`);
    const fields = { sku: key(''), name: text(''), price: decimal('', 2), ean: text('') };
    const contract = { price: { filled: true, between: [1, 100] }, ean: { unique: true }, rows: [1, 3] };
    const options = {
      ...{ file, watchKeys: 2, countsValues: true, raws: true, mayCheck: true },
      expect: expectationsOf(contract, { option: '--expect', name: 'contract.yaml', place: 'expect' }),
    };
    const here = await toldAlike(fields, options);
    expect(here.ended[0]).toHaveLength(4);
    expect([here.repeats, here.ended[2], here.rest[1]]).toEqual([
      [{ index: 2, id: 'A', first: 2 }],
      [expect.objectContaining({ code: 'rows_skipped' })],
      new Map([['foo', 2]]),
    ]);
    expect(here.rest[2]).toBe(true);
  });

  it('of a file with a mapping, too: the numbers of records, what is left out and warned of, and members that come late', async () => {
    const file = join(folder, 'mapped.ndjson');
    const records = Array.from({ length: 4000 }, (_, i) => ({
      no: `S${i}`,
      kind: i % 4 === 0 ? 'x' : 'y',
      ...late(i),
    }));
    writeFileSync(file, records.map((record) => JSON.stringify(record)).join('\n'));
    const map = join(folder, 'mapped.yaml');
    writeFileSync(map, 'import: [{ to: products, keep: { of: kind, is: y }, fields: { sku: no, name: kind } }]');
    const { import: sections, read, tables } = readMapping(map);
    const section = sections[0] as (typeof sections)[number];
    const options = {
      ...{ file, countsValues: true },
      mapped: { name: 'mapped.yaml', place: 'the mapping', section, tables, now: 0, read },
      expect: expectationsOf(
        { warn: { rows: [1, 5] } },
        { option: '--expect', name: 'contract.yaml', place: 'expect' },
      ),
    };
    const here = await toldAlike({ sku: key(''), name: text('') }, options);
    expect(here.numbers?.slice(0, 3)).toEqual([2, 3, 4]);
    expect(here.ended.slice(3)).toEqual([[expect.objectContaining({ code: 'expectation_missed' })], 1000]);
    expect(here.ended[1]).toContainEqual(expect.objectContaining({ name: 'late', filled: 500 }));
  });

  it('yields the same items, refused rows, lines and progress as in this thread', async () => {
    const file = join(folder, 'large.csv');
    const long = `${'a name '.repeat(32)}\nof two lines`;
    const text = rows(20_000, (i) => (i % 1000 === 7 ? `S${i},x\n` : `S${i},"${long}",1\n`));
    writeFileSync(file, text);
    expect(await readInChild(file)).toMatchObject({
      items: 19_980,
      refused: 20,
      reading: { read: text.length, size: text.length },
      first: { sku: 'S0', name: long },
      last: { sku: 'S19999', line: text.split('\n').length - 2 },
      unknown: { foo: 19_980 },
    });
    expect(await readInChild(file, 5000)).toMatchObject({ items: 4995, refused: 5 });
  });

  it('reports keys that repeat those of earlier lines, up to the number it watches', async () => {
    const file = join(folder, 'repeats.csv');
    const again = new Map([
      [4_000, 'S5'],
      [4_001, ' S5 '],
      [10_000, 'S3999'],
    ]);
    const repeated = (count: number) =>
      writeFileSync(
        file,
        rows(count, (i) => `${again.get(i) ?? `S${i}`},${'a name '.repeat(60)},\n`),
      );
    repeated(10_400);
    const repeats = [
      ['S5', 7, 4_002],
      ['S5', 7, 4_003],
      ['S3999', 4_001, 10_002],
    ];
    expect(await readInChild(file)).toMatchObject({ repeats, overflowed: false });
    repeated(12_004);
    expect(await readInChild(file)).toMatchObject({ repeats, overflowed: true });
  });

  it('fails with the same message as in this thread, after the items before', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, `[${`{"sku":"A","name":"${'x'.repeat(400)}"},\n`.repeat(12_000)}{]`);
    expect(await readInChild(file)).toMatchObject({
      items: 12_000,
      failure: [
        'CatalogError',
        'input_unreadable',
        expect.stringContaining('line 12001, column 2: this is not valid JSON'),
      ],
    });
    const keyless = join(folder, 'keyless.csv');
    writeFileSync(keyless, rows(12_000, () => `x,${'y'.repeat(400)},z\n`).replace('sku', 'id'));
    expect((await readInChild(keyless)).failure).toEqual([
      'CatalogError',
      'usage',
      expect.stringContaining('no column fills sku'),
    ]);
  });

  it('reports skipped rows even where the file fails at its end', async () => {
    const file = join(folder, 'glued.csv');
    const more = 'x'.repeat(300);
    writeFileSync(file, `sku,name,${more}\nA,x,\n${`sku,name,${more}\n`.repeat(15_000)}name,sku,${more}\n`);
    const { items, failure, notes } = await readInChild(file);
    expect(items).toBe(1);
    expect(failure?.[2]).toContain('line 15003 repeats the column names in another order');
    expect(notes).toEqual([expect.stringMatching(/^15000 repeated header rows skipped/)]);
  });

  it('needs memory independent of its size', async () => {
    const sizes = [15_000, 60_000];
    const memory: number[] = [];
    for (const size of sizes) {
      const file = join(folder, `${size}.csv`);
      writeFileSync(
        file,
        rows(size, (i) => `S${i},${'some name '.repeat(80)},\n`),
      );
      const { items, mebibytes } = await readInChild(file);
      rmSync(file);
      expect(items).toBe(size);
      memory.push(mebibytes);
    }
    const [small = 0, large = 0] = memory;
    expect(large).toBeLessThan(Math.max(1.25 * small, small + 30));
  });
});

describe('a thread that is started before a source is opened', () => {
  const file = join(folder, 'early.csv');
  const count = 12_000;
  const name = 'x'.repeat(400);
  writeFileSync(
    file,
    rows(count, (i) => `S${i},${name},\n`),
  );

  it('reads the first file that is opened; the second one has a thread of its own', async () => {
    const early = join(folder, 'early.mjs');
    writeFileSync(
      early,
      `const { startThreadFor } = await import(${JSON.stringify(`file://${parts}/start-thread.js`)});
      startThreadFor(${JSON.stringify(file)});
      await import(${JSON.stringify(`file://${program}`)});
      await import(${JSON.stringify(`file://${program}?again`)});`,
    );
    const { stdout } = await execFile(process.execPath, [early, file]);
    const outcomes = stdout.trim().split('\n');
    expect(outcomes.map((line) => (JSON.parse(line) as Outcome).items)).toEqual([count, count]);
  });

  it('ends with a command that does not use it', async () => {
    const refused = await execFile(process.execPath, ['bin/catalog-import.js', 'products', file, '--nonsense'], {
      timeout: allowed(10_000),
    }).catch((error: { code: number; killed: boolean }) => error);
    expect(refused).toMatchObject({ code: 2, killed: false });
  });
});

describe('a file made to do harm', () => {
  const flat = 200;

  it('a line of 200 MB is refused within its first mebibyte', async () => {
    const outcome = await readFromPipe(times(200, '~'.repeat(1_000_000)));
    expect(outcome.failure?.[2]).toMatch(/stdin: the record that begins on line 1 does not end within/);
    expect(outcome.mebibytes).toBeLessThan(flat);
    expect(outcome.reading?.read ?? 0).toBeLessThan(3_000_000);
  });

  it('an unclosed quote in a pipe of 200 MB is reported with its line', async () => {
    function* text() {
      yield 'sku,name\nA,x\nB,"y\n';
      yield* times(200, 'C,some more\n'.repeat(100_000));
    }
    const outcome = await readFromPipe(text());
    expect(outcome).toMatchObject({
      items: 1,
      failure: ['CatalogError', 'input_unreadable', expect.stringContaining('line 3 ')],
    });
    expect(outcome.mebibytes).toBeLessThan(flat);
  });

  it('a gzip of a gibibyte of zeros is refused at once', async () => {
    const file = join(folder, 'zeros.csv.gz');
    const member = gzipSync(Buffer.alloc(2 ** 24));
    writeFileSync(file, Buffer.concat(Array.from({ length: 64 }, () => member)));
    const outcome = await readInChild(file);
    expect(outcome.failure?.[2]).toMatch(/line 1 does not end within/);
    expect(outcome.mebibytes).toBeLessThan(flat);
  });

  it('a truncated gzip is reported after its content', async () => {
    const file = join(folder, 'cut.csv.gz');
    const random = randomFrom(1);
    const packed = gzipSync(rows(100_000, (i) => `S${i},${random()},\n`));
    writeFileSync(file, packed.subarray(0, packed.length / 2));
    const { items, failure } = await readInChild(file);
    expect(items).toBeGreaterThan(10_000);
    expect(failure?.[2]).toMatch(/the gzip data is broken/);
  });

  it('a pipe that is written byte by byte is read correctly', async () => {
    const { items, refused } = await readFromPipe([...'sku,name\nA,"x\ny"\r\nB,é\n', ...times(2000, 'z')]);
    expect([items, refused]).toEqual([2, 1]);
  });
});
