import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf } from '../child.js';
import { outcome, start, typedAsProcess, typedInTurn } from '../cli/started.js';
import { delivery, demo, products } from '../cli/typed.js';

/** Files as Windows has them, by imitation: see windows-files.mjs. */
const preload = `--import ${new URL('./windows-files.mjs', import.meta.url).href}`;

function workFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'catalog-import-')));
  writeFileSync(join(folder, 'products.csv'), products(20));
  return folder;
}

const typed = (folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) =>
  typedAsProcess(folder, args, { env: { NODE_OPTIONS: preload, ...env } });

/** Types commands one after the other, none of which may fail. */
async function expectTyped(folder: string, commands: readonly (readonly string[])[], env: NodeJS.ProcessEnv = {}) {
  for (const ended of await typedInTurn(folder, commands, { env: { ...process.env, NODE_OPTIONS: preload, ...env } }))
    expect(ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining('EPERM') });
}

describe('files that can only be synced when they are open for writing', () => {
  it.each([
    [['run', demo], 0],
    [['products', 'products.csv', '--report-file', 'new/folder/report.csv', '--refused-file', 'refused'], 2],
    [['run', delivery, '--report-file', 'report.csv', '--refused-file', 'a/b/c'], 3],
  ] as const)('%j ends with %d', async (args, code) => {
    const folder = workFolder();
    const ended = await typed(folder, args);
    expect(ended.stderr).not.toContain('EPERM');
    expect(ended.code).toBe(code);
  });

  it('backs up, and undoes a run', async () => {
    const folder = workFolder();
    await expectTyped(folder, [
      ['products', 'products.csv', '--feed', 'erp'],
      ['backup', 'copy.db'],
      ['undo', '1'],
      ['info', '--db', 'copy.db'],
    ]);
  });
});

it('a nightly sync with every form of report, a plan and an export', async () => {
  const folder = workFolder();
  for (const name of ['night', 'out']) mkdirSync(join(folder, name));
  copyFileSync(join(folder, 'products.csv'), join(folder, 'night', 'products.csv'));
  const reports = ['html', 'csv', 'json', 'ndjson'].flatMap((form) => ['--report-file', `out/report.${form}`]);
  const night = ['run', 'night', '--feed', 'erp', '--status-file', 'out/status.json', ...reports];
  await expectTyped(folder, [
    [...night, '--missing', 'suspend'],
    [...night, '--report', 'all'],
    ['plan', 'run', 'night', '--out', 'night.plan'],
    ['apply', 'night.plan'],
    ['export', 'products', '--to', 'products.ndjson'],
  ]);
  expect(readdirSync(join(folder, 'out')).sort()).toEqual([
    ...['report.csv', 'report.html', 'report.json', 'report.ndjson', 'status.json'],
  ]);
});

it('a server with workers, an import into it, and its end', async () => {
  const folder = workFolder();
  const { stdout: key } = await typed(folder, ['keys', 'create', '--name', 'erp', '--all']);
  const server = start(folder, ['serve', '--port', '0', '--workers', '2'], { NODE_OPTIONS: preload });
  const [, address = ''] = await lineOf(server, /listening on (http:\/\/[\w.:]+)/);
  const remote = { CATALOG_REMOTE: address, CATALOG_API_KEY: key.trim() };
  await expectTyped(
    folder,
    [
      ['products', 'products.csv', '--feed', 'erp', '--report-file', 'sent.html'],
      ['get', 'product', '--sku', 'S-0'],
      ['get', 'product', '--sku', 'S-19'],
    ],
    remote,
  );
  server.kill('SIGTERM');
  expect(await outcome(server)).toMatchObject({ code: 0, stderr: expect.not.stringContaining('EPERM') });
});

describe('a file that another program has open', () => {
  it('is replaced later than 2 s at most, else the new file stays beside it, and the message names it', async () => {
    const folder = workFolder();
    const report = join(folder, 'report.csv');
    writeFileSync(report, 'an earlier report\n');
    const ended = await typed(folder, ['products', 'products.csv', '--report-file', 'report.csv'], {
      HELD_FILE: report,
    });
    expect(ended.code).toBe(2);
    const [kept = ''] = readdirSync(folder).filter((name) => /^report\.new-\d+\.csv$/.test(name));
    expect(ended.stderr).toContain(kept);
    expect(readFileSync(join(folder, kept), 'utf8')).toContain('S-19');
    expect(readFileSync(report, 'utf8')).toBe('an earlier report\n');
  });

  it('is named before anything is imported, where it cannot be written at all', async () => {
    const folder = workFolder();
    const report = join(folder, 'report.csv');
    writeFileSync(report, 'an earlier report\n');
    const ended = await typed(folder, ['products', 'products.csv', '--report-file', report], {
      HELD_FILE: report,
      HELD_HARD: '1',
    });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toContain('close it in the other program');
    expect(existsSync(join(folder, 'catalog.db'))).toBe(false);
  });
});

it('a folder of one letter is made, and its import ends', async () => {
  const folder = workFolder();
  const ended = await typedAsProcess(folder, ['run', delivery, '--refused-file', 'r']);
  expect(ended.code).toBe(3);
  expect(readdirSync(join(folder, 'r')).length).toBeGreaterThan(0);
});
