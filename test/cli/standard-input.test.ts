// Standard input where it has to be read more than once: for the guards of a feed, for rows that repeat, and for mappings.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, statSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { spawnSync, startChild } from '../child.js';
import { allowed } from '../tier.js';
import { until } from '../until.js';
import { outcome, program, start, typedAsProcess } from './started.js';
import { folder, products, typed } from './typed.js';

/** A folder for temporary files of one test. */
const ownTemporary = () => mkdtempSync(join(tmpdir(), 'catalog-import-own-'));

const leftIn = (path: string) => readdirSync(path).filter((name) => name.startsWith('catalog-import-source-'));

describe('standard input is spooled where it is read more than once', () => {
  it('a feed from a pipe passes its guards the first night and every later one, and counts for missing', async () => {
    const cwd = folder();
    const TMPDIR = ownTemporary();
    const night = (input: string) =>
      typedAsProcess(cwd, ['products', '-', '--feed', 'erp'], { input, env: { TMPDIR } });
    expect((await night(products(20))).code).toBe(0);
    expect(await night(products(20))).toMatchObject({ code: 0, stdout: expect.stringMatching(/20 unchanged/) });
    const gone = await night(products(19));
    expect(gone).toMatchObject({ code: 0, stderr: expect.stringContaining('records_missing: erp: 1 record') });
    expect((await night(products(5))).code).toBe(8);
    expect(leftIn(TMPDIR)).toEqual([]);
  });

  it.each(['keep-last', 'refuse'])('--on-duplicate %s', async (policy) => {
    const input = 'sku,name,currency\nA,one,EUR\nA,two,EUR\nB,three,EUR\n';
    const cwd = folder();
    const { stdout } = await typed(cwd, ['products', '-', '--on-duplicate', policy, '--output', 'json'], { input });
    const { response } = JSON.parse(stdout);
    expect(response).toMatchObject({ created: policy === 'refuse' ? 1 : 2, total: 3 });
  });

  it.skipIf(process.platform === 'win32')('what a shell puts in place of <(…), every night', async () => {
    const cwd = folder({ 'feed.csv': products(20) });
    const line = 'exec "$0" "$1" products <(cat feed.csv) --format csv --feed erp';
    for (const _ of [1, 2]) {
      const child = startChild('bash', ['-c', line, process.execPath, program], { cwd });
      expect(await outcome(child)).toMatchObject({ code: 0, stdout: expect.stringContaining('20') });
    }
  });

  it('--min-rows stops it before the first write', async () => {
    const cwd = folder();
    expect((await typed(cwd, ['products', '-', '--min-rows', '3'], { input: products(2) })).code).toBe(8);
    expect((await typed(cwd, ['products', '-', '--min-rows', '3'], { input: products(3) })).code).toBe(0);
  });

  it('a mapping with several sections, and with tables of the same file', async () => {
    const map =
      'import:\n' +
      '  - {to: products, fields: {sku: no, name: title, currency: {value: EUR}}}\n' +
      '  - {to: category, each: {path: group, separator: ">"}, once: first, fields: {name: $name, parent: $parent}}\n';
    const cwd = folder({ 'map.yaml': map });
    const input = 'no;title;group\nA;one;Home\nB;two;Home\n';
    const run = await typed(cwd, ['run', '-', '--map', 'map.yaml', '--output', 'json'], { input });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout).response).toMatchObject({ created: 3 });
  });

  it('inspect finds of it what it finds of a file, also a workbook or an archive that no pipe could be read as', async () => {
    const cwd = folder({ 'feed.csv': 'sku;name\nA;M\xfcller\n' });
    const read = async (name: string, input = '') =>
      JSON.parse((await typed(cwd, ['inspect', name, '--output', 'json'], { input })).stdout);
    const { file: _, ...piped } = await read('-', 'sku;name\nA;M\xfcller\n');
    const { file: __, ...named } = await read('feed.csv');
    expect(piped.columns).toEqual(named.columns);
    expect(piped.encoding).toBe(named.encoding);
  });
});

describe('temporary files', () => {
  it('are private, and go at a signal, which ends the command within a second', async () => {
    const TMPDIR = ownTemporary();
    const child = start(folder(), ['products', '-', '--feed', 'erp'], { TMPDIR });
    child.stdin?.write(products(10));
    await until('its temporary file', () => leftIn(TMPDIR).some((name) => existsSync(join(TMPDIR, name, '0'))));
    const [name = ''] = leftIn(TMPDIR);
    expect(statSync(join(TMPDIR, name)).mode & 0o777).toBe(0o700);
    expect(statSync(join(TMPDIR, name, '0')).mode & 0o777).toBe(0o600);
    const sent = performance.now();
    child.kill('SIGTERM');
    expect(await outcome(child)).toMatchObject({ code: 143, stderr: expect.stringContaining('nothing was imported') });
    expect(performance.now() - sent).toBeLessThan(allowed(1000));
    expect(leftIn(TMPDIR)).toEqual([]);
  });

  it('of a process that was killed are removed by the next one, and those of one that runs are not', async () => {
    const TMPDIR = ownTemporary();
    const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 6);
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    for (const pid of [dead, process.pid]) mkdirSync(join(TMPDIR, `catalog-import-source-${machine}-${pid}-abc`));
    await typedAsProcess(folder(), ['products', '-', '--feed', 'erp'], { input: products(1), env: { TMPDIR } });
    expect(leftIn(TMPDIR)).toEqual([`catalog-import-source-${machine}-${process.pid}-abc`]);
  });
});
