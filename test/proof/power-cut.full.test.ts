// P1 through a power cut: at every sync, every change of a name and every report, pictures are made of what the disk
// may hold then (sectors torn, names not there yet), and each of them must hold what was reported. CUT_SEED=n tries the same
// again.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { execFileSync } from '../child.js';
import { randomFrom, seedOf } from '../random.js';
import { type Cuts, cutCatalog } from './cut-catalog.js';
import { openRaw } from './dump.js';
import { straceArgs, whyNoTrace } from './power-cut.js';
import { runProgram } from './program.js';
import { writeShopFolder } from './shop-folder.js';

const items = 150;
const seed = seedOf('CUT_SEED');
const folder = mkdtempSync(join(tmpdir(), 'catalog-cut-'));
afterAll(() => rmSync(folder, { recursive: true }));
const shop = join(folder, 'shop');
const uncorrected = join(folder, 'uncorrected');
writeShopFolder(shop, items);
writeShopFolder(uncorrected, items, false);

const args = (source: string, db: string): string[] => [
  'run',
  source,
  '--db',
  db,
  '--output',
  'ndjson',
  '--report',
  'all',
  '--quiet',
];

/** Imports under strace, and gives the trace. */
async function traced(
  typed: readonly string[],
  { tamper, inject, code }: { readonly tamper?: string | undefined; readonly inject?: string; readonly code?: number },
): Promise<string> {
  const trace = join(folder, `${Math.random().toString(36).slice(2)}.trace`);
  const ended = await runProgram(typed, { tamper, under: straceArgs(trace, inject) });
  if (code !== undefined) expect(ended.code, ended.stderr).toBe(code);
  return trace;
}

/** A control looks at every moment until it has found the one at which something is missing. */
const pictured = (usual: number, tamper: string | undefined): { share: number; isControl: boolean } =>
  tamper === undefined ? { share: usual, isControl: false } : { share: 1, isControl: true };

let made = 0;
const newDb = (): string => join(folder, `cut-${made++}.db`);

async function freshImport(tamper?: string): Promise<Cuts> {
  const db = newDb();
  const { play, cuts } = cutCatalog(folder, db, { seed, ...pictured(0.5, tamper) });
  play(await traced(args(shop, db), { tamper, code: 3 }));
  return cuts;
}

async function existingCatalog(tamper?: string): Promise<Cuts> {
  const db = newDb();
  expect((await runProgram(args(uncorrected, db))).code).toBe(3);
  const { play, cuts } = cutCatalog(folder, db, { seed, ...pictured(0.5, tamper) });
  play(await traced(args(shop, db), { tamper, code: 3 }));
  return cuts;
}

const killedSyncs = [9, 3, 1, 3, 1];

/** Killed between writing a commit and syncing it, several times, and run to its end. */
async function killedAndRunAgain(tamper?: string): Promise<Cuts> {
  const db = newDb();
  // With a history each import commits the beginning of its run first, which syncs what the one before left.
  const typed = [...args(shop, db), '--no-history'];
  const { play, cuts } = cutCatalog(folder, db, { seed, ...pictured(1, tamper) });
  for (const nth of killedSyncs)
    play(await traced(typed, { tamper, inject: `fsync,fdatasync:signal=SIGKILL:when=${nth}` }));
  play(await traced(typed, { tamper, code: 3 }));
  return cuts;
}

async function twoProcesses(tamper?: string): Promise<Cuts> {
  const db = newDb();
  const { play, cuts } = cutCatalog(folder, db, { seed, ...pictured(0.3, tamper) });
  const trace = join(folder, 'two.trace');
  const program = 'node=$1; shift; "$node" "$@" & "$node" "$@" & wait';
  await runProgram(args(shop, db), { tamper, under: [...straceArgs(trace), 'sh', '-c', program, 'sh'] });
  play(trace);
  return cuts;
}

/** Products whose slugs are indexed late, all at once. */
const lateProducts = 32_700;
/** A catalog of so many products that the next ones bring the slug index up to date, made once. */
let grown: Promise<string> | undefined;
const someProducts = (from: number, upto: number): string =>
  `sku,currency\n${Array.from({ length: upto - from }, (_, i) => `K-${from + i},EUR\n`).join('')}`;

async function grownCatalog(): Promise<string> {
  const [db, many] = [newDb(), join(folder, 'many.csv')];
  writeFileSync(many, someProducts(0, lateProducts));
  expect((await runProgram(['products', many, '--db', db, '--quiet'])).code).toBe(0);
  return db;
}

/** The slug index is brought up to date by the traced import. */
async function catchUp(tamper?: string): Promise<Cuts> {
  const db = newDb();
  const few = join(folder, 'few.csv');
  writeFileSync(few, someProducts(lateProducts - 100, lateProducts + 150));
  grown ??= grownCatalog();
  copyFileSync(await grown, db);
  const { play, cuts } = cutCatalog(folder, db, { seed, ...pictured(0.5, tamper) });
  const typed = ['products', few, '--db', db, '--output', 'ndjson', '--report', 'all', '--quiet'];
  play(await traced(typed, { tamper, code: 0 }));
  const raw = openRaw(db);
  expect(raw.prepare(`SELECT upto FROM late_index WHERE name = 'product_slug'`).pluck().get()).toBeGreaterThan(32_000);
  raw.close();
  return cuts;
}

/** Batches sent to a server under an Idempotency-Key, each twice: what was answered stays, and so does the key. */
async function posts(tamper?: string): Promise<Cuts> {
  const db = newDb();
  const [key = ''] = (await runProgram(['keys', 'create', '--name', 'x', '--all', '--db', db])).lines;
  const more = (picture: string, told: string): void => {
    const answered = new Set([...told.matchAll(/"external_id":"B(\d+)-/g)].map(([, batch]) => batch)).size;
    const raw = openRaw(picture);
    const kept = Number(raw.prepare('SELECT count(*) FROM receipt').pluck().get());
    raw.close();
    if (kept < answered) throw new Error(`${answered} batches were answered, ${kept} keys are kept`);
  };
  const { play, cuts } = cutCatalog(folder, db, { seed, ...pictured(0.5, tamper), more });
  const trace = join(folder, `posts-${made++}.trace`);
  let send: Promise<void> | undefined;
  const ended = runProgram(['serve', '--db', db, '--port', '0'], {
    tamper,
    under: straceArgs(trace),
    onLines: (_, child, stdout) => {
      const url = /listening on (\S+)\n/.exec(stdout)?.[1];
      if (url !== undefined) send ??= sendBatches(url, key).finally(() => endTraced(child.pid));
    },
  });
  await ended;
  await send;
  play(trace);
  return cuts;
}

async function sendBatches(url: string, key: string): Promise<void> {
  for (let batch = 0; batch < 8; batch++) {
    const items = Array.from({ length: 5 }, (_, i) => ({ sku: `B${batch}-${i}`, currency: 'EUR' }));
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': `batch-${batch}`,
    };
    const post = { method: 'POST', headers, body: JSON.stringify({ items }) };
    for (const replayed of [null, 'true']) {
      const answer = await fetch(`${url}/v1/product/import`, post);
      expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, replayed]);
      await answer.text();
    }
  }
}

/** Ends the program that a strace runs; strace ends with it. */
function endTraced(strace: number | undefined): void {
  const child = execFileSync('pgrep', ['-P', String(strace)])
    .toString()
    .trim();
  process.kill(Number(child), 'SIGTERM');
}

const scenarios = [
  ['a first import', freshImport, 'synchronous-off', 60],
  ['an import into an existing catalog', existingCatalog, 'synchronous-off', 30],
  ['imports killed before a sync, and run again', killedAndRunAgain, 'no-file-sync', 60],
  ['two processes at once', twoProcesses, 'synchronous-off', 30],
  ['batches with an Idempotency-Key', posts, 'synchronous-off', 20],
  ['the index that catches up', catchUp, 'synchronous-off', 1],
] as const;
const reason = whyNoTrace();

describe.skipIf(reason !== undefined)(`a power cut${reason === undefined ? '' : ` (${reason})`}`, () => {
  it.each(scenarios)(
    'P1 P2: %s: whatever the disk kept, all that was told is there, and the file is sound',
    async (name, run, _tamper, least) => {
      const { pictures, broken } = await run();
      console.log(`power cut, ${name}: ${pictures} pictures, CUT_SEED=${seed}`);
      expect(broken).toEqual([]);
      expect(pictures).toBeGreaterThanOrEqual(least * 0.5);
    },
  );

  it.each(scenarios)(
    'negative control: %s, with the safety taken out, loses what was told',
    async (_name, run, tamper) => {
      expect((await run(tamper)).broken.length).toBeGreaterThan(0);
    },
  );

  it('the same seed gives the same numbers', () => {
    expect(Array.from({ length: 3 }, randomFrom(7))).toEqual(Array.from({ length: 3 }, randomFrom(7)));
  });
});
