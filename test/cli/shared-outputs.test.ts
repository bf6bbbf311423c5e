// Runs that write the same files: a report has one writer at a time, a status file keeps what each run says, and nothing that
// another user has put in the place of a file decides where bytes go.
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execFileSync, lineOf } from '../child.js';
import { isFull } from '../tier.js';
import { until } from '../until.js';
import { outcome, start, typedAsProcess } from './started.js';
import { folder, products, typed } from './typed.js';

/** Starts an import of standard input, which lasts until that ends, and waits until it has begun. */
async function begun(cwd: string, ...options: string[]) {
  const run = start(cwd, ['products', '-', '--format', 'csv', '--db', 'first.db', ...options]);
  run.stdin?.write(products(500));
  await lineOf(run, /started/, 'stderr');
  return run;
}

describe('two runs with one file', () => {
  it.each([
    ['--report-file', 'r.ndjson'],
    ['--report-file', 'r.csv'],
    ['--refused-file', 'refused.csv'],
  ])('%s %s: the second says so before it starts', async (option, name) => {
    const cwd = folder({ 'feed.csv': products(3) });
    const first = await begun(cwd, option, name);
    const second = ['products', 'feed.csv', '--db', 'second.db', option, name];
    const told = await typed(cwd, second);
    expect(told).toMatchObject({ code: 6, stdout: '' });
    expect(told.stderr).toContain(`${option} ${name} is being written by another run.`);
    expect(existsSync(join(cwd, 'second.db'))).toBe(false);
    first.stdin?.end();
    expect((await outcome(first)).code).toBe(0);
    if (name === 'r.ndjson') expect(readFileSync(join(cwd, name), 'utf8').split('\n')).toHaveLength(503);
    expect((await typed(cwd, second)).code).toBe(0);
    expect(readdirSync(cwd).filter((one) => one.endsWith('.lock'))).toEqual([]);
  });

  it('--status-file: a second run of the same name says so before it starts, one of another name goes on', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    const first = await begun(cwd, '--status-file', 's.prom');
    const second = ['--db', 'second.db', '--status-file', 's.prom'];
    const same = ['products', '-', '--format', 'csv', ...second];
    expect(await typed(cwd, same, { input: products(3) })).toMatchObject({
      code: 6,
      stderr: expect.stringContaining('--status-file s.prom is being written by another run.'),
    });
    expect(existsSync(join(cwd, 'second.db'))).toBe(false);
    expect((await typed(cwd, [...same, '--dry-run'], { input: products(3) })).code).toBe(0);
    expect((await typed(cwd, ['products', 'feed.csv', ...second])).code).toBe(0);
    first.stdin?.end();
    expect((await outcome(first)).code).toBe(0);
    const text = readFileSync(join(cwd, 's.prom'), 'utf8');
    for (const name of ['-', 'feed.csv']) expect(text).toContain(`catalog_import_last_exit_code{feed="${name}"} 0`);
    expect(readdirSync(cwd).filter((one) => one.endsWith('.lock'))).toEqual([]);
  });

  it.each([
    [
      ['--report-file', 'one'],
      ['--status-file', './one'],
    ],
    [
      ['--status-file', 'one'],
      ['--report-file', 'link'],
    ],
    [
      ['--report-file', '{run}.ndjson'],
      ['--report-file', '{run}.ndjson'],
    ],
    [
      ['--report-file', '{run}.ndjson'],
      ['--refused-file', '1.ndjson'],
    ],
  ])('%j and %j are not written by two runs at once', async (one, other) => {
    const cwd = folder({ 'feed.csv': products(3) });
    symlinkSync('one', join(cwd, 'link'));
    const first = await begun(cwd, ...one);
    // A name with the number of the run is claimed after that is told.
    await until('the claim of the first run', () => readdirSync(cwd).some((name) => name.endsWith('.lock')));
    const told = await typed(cwd, ['products', 'feed.csv', '--db', 'second.db', ...other]);
    expect([told.code, told.stderr]).toEqual([6, expect.stringContaining('is being written by another run.')]);
    first.stdin?.end();
    expect((await outcome(first)).code).toBe(0);
  });

  it('two names of one file: each run writes a file of its own', async () => {
    const cwd = folder({ 'feed.csv': products(3), 'a.ndjson': '' });
    linkSync(join(cwd, 'a.ndjson'), join(cwd, 'b.ndjson'));
    const first = await begun(cwd, '--report-file', 'a.ndjson');
    const second = ['products', 'feed.csv', '--db', 'second.db', '--report-file', 'b.ndjson'];
    expect((await typed(cwd, second)).code).toBe(0);
    first.stdin?.end();
    expect((await outcome(first)).code).toBe(0);
    const lines = (name: string) => readFileSync(join(cwd, name), 'utf8').trimEnd().split('\n');
    expect([lines('a.ndjson').length, lines('b.ndjson').length]).toEqual([502, 5]);
    for (const line of [...lines('a.ndjson'), ...lines('b.ndjson')]) JSON.parse(line);
  });

  it('one that was killed is no other run, nor is another program that got its number', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    const first = await begun(cwd, '--report-file', 'r.ndjson');
    const [mark = ''] = readdirSync(cwd).filter((one) => one.endsWith('.lock'));
    const left = readFileSync(join(cwd, mark), 'utf8');
    first.kill('SIGKILL');
    await outcome(first);
    // The number of a process that runs, of which the mark is not.
    writeFileSync(
      join(cwd, mark.replace(/\d+\.lock$/, `${process.ppid}.lock`)),
      left.replace(/ \d+ /, ` ${process.ppid} `),
    );
    expect((await typed(cwd, ['products', 'feed.csv', '--db', 'b.db', '--report-file', 'r.ndjson'])).code).toBe(0);
    expect(existsSync(join(cwd, mark))).toBe(false);
  });

  it('of several that begin at once, one writes', async () => {
    const cwd = folder({ 'feed.csv': products(2000) });
    const runs = Array.from({ length: isFull ? 4 : 3 }, (_, i) =>
      typedAsProcess(cwd, ['products', 'feed.csv', '--db', `${i}.db`, '-q', '--report-file', 'r.ndjson']),
    );
    const codes = (await Promise.all(runs)).map(({ code }) => code);
    expect(codes).toContain(0);
    expect(codes.filter((code) => code !== 0 && code !== 6)).toEqual([]);
    const lines = readFileSync(join(cwd, 'r.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.slice(1).map((line) => JSON.parse(line).index ?? 'end')).toEqual([...Array(2000).keys(), 'end']);
  });

  it('a status file keeps what each of several runs says that end together', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    const feeds = isFull ? ['a', 'b', 'c', 'd'] : ['a', 'b', 'c'];
    const runs = feeds.map((feed) =>
      typedAsProcess(cwd, ['products', 'feed.csv', '--db', `${feed}.db`, '--feed', feed, '--status-file', 'all.prom']),
    );
    for (const { code } of await Promise.all(runs)) expect(code).toBe(0);
    const text = readFileSync(join(cwd, 'all.prom'), 'utf8');
    for (const feed of feeds) expect(text).toContain(`catalog_import_last_exit_code{feed="${feed}"} 0`);
  });
});

const stranger = 61_001;

describe.skipIf(process.getuid?.() !== 0)('what another user has put there (needs root, to be two users)', () => {
  it.each([
    ['--report-file', 'r.ndjson'],
    ['--report-file', 'r.json'],
    ['--report-file', 'r.html'],
    ['--status-file', 's.prom'],
    ['--refused-file', 'refused.csv'],
  ])('%s %s: no link or pipe of another user is written to', async (option, name) => {
    const cwd = folder({ 'feed.csv': `${products(2)},x,EUR,1,1\n`, victim: '' });
    const at = join(cwd, name);
    const plant: readonly (() => unknown)[] = [
      () => symlinkSync(join(cwd, 'victim'), at),
      () => symlinkSync(join(cwd, 'dangling'), at),
      () => execFileSync('mkfifo', [at]),
    ];
    for (const put of plant) {
      put();
      lchownSync(at, stranger, stranger);
      const told = await typed(cwd, ['products', 'feed.csv', '--db', 'a.db', option, name]);
      expect([told.code, told.stderr]).toEqual([
        2,
        expect.stringContaining(`of another user, with the number ${stranger}`),
      ]);
      expect(existsSync(join(cwd, 'a.db'))).toBe(false);
      rmSync(at);
    }
    expect(readFileSync(join(cwd, 'victim'), 'utf8')).toBe('');
    expect(existsSync(join(cwd, 'dangling'))).toBe(false);
  });

  it('a file of another user is replaced by one that they may not read', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    for (const name of ['r.ndjson', 'r.csv']) {
      const at = join(cwd, name);
      writeFileSync(at, '');
      chmodSync(at, 0o666);
      chownSync(at, stranger, stranger);
      expect((await typed(cwd, ['products', 'feed.csv', '--db', 'a.db', '--report-file', name])).code).toBe(0);
      const { uid, mode, size } = statSync(at);
      expect([uid, mode & 0o777, size > 0]).toEqual([0, 0o600, true]);
    }
  });

  it('what a remote acknowledged is kept in no folder that others may change', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    const state = join(cwd, 'catalog-import');
    const env = { XDG_STATE_HOME: cwd, CATALOG_API_KEY: `cik_${'0'.repeat(47)}` };
    const args = ['products', 'feed.csv', '--remote', 'http://127.0.0.1:9', '--retry-max-time', '1s'];
    mkdirSync(join(cwd, 'elsewhere'), 0o700);
    const ways: readonly [put: () => unknown, words: string][] = [
      [() => [mkdirSync(state), chmodSync(state, 0o777)], 'other users may write to it'],
      [() => [mkdirSync(state, 0o700), chownSync(state, stranger, stranger)], 'it belongs to another user'],
      [
        () => [symlinkSync(join(cwd, 'elsewhere'), state), lchownSync(state, stranger, stranger)],
        'it belongs to another user',
      ],
    ];
    for (const [put, words] of ways) {
      put();
      for (const more of [[], ['--resume'], ['--changed-only'], ['--feed', 'erp']]) {
        const { code, stderr } = await typed(cwd, [...args, ...more], { env });
        expect([words, more, code]).toEqual([words, more, 2]);
        expect(stderr).toContain(words);
      }
      rmSync(state, { recursive: true });
    }
    expect(readdirSync(join(cwd, 'elsewhere'))).toEqual([]);
  });
});
