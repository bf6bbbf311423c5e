// What a container may take away: a root that can be written to, most descriptors, and most of ICU.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { type Ended, outcome, spawnSync, startChild } from '../child.js';
import { program } from '../cli/started.js';
import { demo, folder, products } from '../cli/typed.js';

/** Runs a command in a shell that has prepared its surroundings. */
function inShell(cwd: string, before: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const words = [process.execPath, program, ...args];
  const child = startChild('sh', ['-c', `${before} exec "$@"`, 'sh', ...words], {
    cwd,
    env: { ...process.env, ...env },
  });
  child.stdin?.end();
  return outcome(child);
}

describe.skipIf(process.platform === 'win32')('few descriptors', () => {
  it('64 are enough to import a folder, to look at a file and to read', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    expect(await inShell(cwd, 'ulimit -n 64;', ['run', demo])).toMatchObject({ code: 0 });
    expect(await inShell(cwd, 'ulimit -n 64;', ['inspect', 'feed.csv'])).toMatchObject({ code: 0 });
    expect(await inShell(cwd, 'ulimit -n 64;', ['get', 'product', 'NO-N5-MID-64'])).toMatchObject({ code: 0 });
  });

  it('with too few it is said how to allow more', async () => {
    // Node needs 19 to 22 open files to start, depending on its version. Below that it prints its own error.
    const ended: Ended[] = [];
    for (let files = 18; ended.at(-1)?.code !== 0 && files < 64; files++)
      ended.push(await inShell(folder(), `ulimit -c 0; ulimit -n ${files};`, ['run', demo]));
    const told = ended.filter(({ stderr }) => /^error: /m.test(stderr));
    expect(told.map(({ code }) => code)).toContain(5);
    expect(told.map(({ stderr }) => stderr)).toContainEqual(expect.stringContaining('ulimit -n 1024'));
    expect(ended.map(({ stderr }) => stderr)).not.toContainEqual(expect.stringContaining('This is a bug'));
    expect(ended.at(-1)?.code).toBe(0);
  });
});

// Mounting is root's, and not every container lets it.
const mayMount =
  process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;

describe.skipIf(!mayMount)('a root that is read-only, with a folder that is not (needs root, to mount it)', () => {
  /** A folder on a file system of its own, below a root that cannot be written to. */
  const before = `mount --make-rprivate / && mount -t tmpfs none /mnt && cp feed.csv /mnt && mount -o remount,bind,ro / && cd /mnt &&`;
  const inContainer = (cwd: string, script: string): Promise<Ended> => {
    const catalogImport = `'${process.execPath}' '${program}'`;
    const child = startChild(
      'unshare',
      ['--mount', 'sh', '-c', `${before} ${script.replaceAll('$ ', `${catalogImport} `)}`],
      {
        cwd,
        env: { PATH: process.env['PATH'], HOME: '/root', TMPDIR: '/mnt' },
      },
    );
    return outcome(child);
  };

  it('imports, plans, backs up, undoes, and reads', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    const nights = [
      '$ products feed.csv --feed erp --quiet --output ndjson --report-file r.html --status-file s.prom',
      '$ plan products feed.csv --out p.plan',
      '$ backup b.db',
      '$ undo 1',
      '$ doctor',
      '$ config',
      '$ help nightly-sync --no-pager',
    ];
    expect(await inContainer(cwd, nights.join(' && '))).toMatchObject({ code: 0 });
  });

  it('where temporary files have no room it is said how to give them some', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    for (const line of ['$ inspect feed.csv --write-map m.yaml', 'cat feed.csv | $ products - --feed erp']) {
      const told = await inContainer(cwd, `export TMPDIR=/none && ${line}`);
      expect(told).toMatchObject({ code: 5, stderr: expect.stringContaining('TMPDIR') });
    }
  });

  it('what cannot be written is named', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    const report = await inContainer(cwd, '$ products feed.csv --report-file /report.csv');
    expect(report).toMatchObject({ code: 2, stderr: expect.stringContaining('/report.csv cannot be written') });
    const catalog = await inContainer(cwd, 'cd / && $ products /mnt/feed.csv');
    expect(catalog).toMatchObject({ code: 7, stderr: expect.stringContaining('/catalog.db cannot be opened') });
  });
});

describe('a small ICU', () => {
  const preload = new URL('small-icu.mjs', import.meta.url).href;
  const typed = async (cwd: string, args: readonly string[]): Promise<Ended> => {
    const child = startChild(process.execPath, ['--import', preload, program, ...args], { cwd });
    child.stdin?.end();
    return outcome(child);
  };

  it('takes no encoding but ISO-2022-JP, which is told', async () => {
    const cwd = folder();
    for (const encoding of ['utf-16be', 'shift_jis', 'windows-1251', 'gb18030']) {
      writeFileSync(join(cwd, 'feed.csv'), iconv.encode(products(2), encoding));
      expect(await typed(cwd, ['products', 'feed.csv', '--encoding', encoding])).toMatchObject({ code: 0 });
    }
    const told = await typed(cwd, ['products', 'feed.csv', '--encoding', 'iso-2022-jp']);
    expect(told).toMatchObject({ code: 5, stderr: expect.stringContaining('small ICU') });
  });
});
