// What a container may take away: a root that can be written to, most descriptors, and most of ICU.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { type Ended, outcome, spawnSync, startChild } from '../child.js';
import { program, turns, typedInTurn } from '../cli/started.js';
import { demo, folder, products } from '../cli/typed.js';
import { isFull } from '../tier.js';

/** Runs a script of Node.js in a shell that has prepared its surroundings. */
function inShell(cwd: string, before: string, words: readonly string[]): Promise<Ended> {
  const child = startChild('sh', ['-c', `${before} exec "$@"`, 'sh', process.execPath, ...words], { cwd });
  child.stdin?.end();
  return outcome(child);
}

/** How each of the commands ended that were typed in turn. */
const codesOf = ({ stderr }: Ended): number[] =>
  [...stderr.matchAll(/^ended with (\d+)$/gm)].map(([, code]) => Number(code));

describe.skipIf(process.platform === 'win32')('few descriptors', () => {
  it('64 are enough to import a folder, to look at a file and to read', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    const commands = [
      ['run', demo],
      ['inspect', 'feed.csv'],
      ['get', 'product', 'NO-N5-MID-64'],
    ];
    const ended = await inShell(cwd, 'ulimit -n 64;', [turns, JSON.stringify(commands)]);
    expect(codesOf(ended), ended.stderr).toEqual([0, 0, 0]);
  });

  it('with too few it is said how to allow more', async () => {
    // Node needs 19 to 22 open files to start, depending on its version. Below that it prints its own error.
    const ended: Ended[] = [];
    for (let files = 18; ended.at(-1)?.code !== 0 && files < 64; files += isFull ? 1 : 3)
      ended.push(await inShell(folder(), `ulimit -c 0; ulimit -n ${files};`, [program, 'run', demo]));
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
    const commands = [
      'products feed.csv --feed erp --quiet --output ndjson --report-file r.html --status-file s.prom',
      'plan products feed.csv --out p.plan',
      'backup b.db',
      'undo 1',
      'doctor',
      'config',
      'help nightly-sync --no-pager',
    ].map((line) => line.split(' '));
    const ended = await inContainer(cwd, `'${process.execPath}' '${turns}' '${JSON.stringify(commands)}'`);
    expect(codesOf(ended), ended.stderr).toEqual(commands.map(() => 0));
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
  it('takes no encoding but ISO-2022-JP, which is told', async () => {
    const cwd = folder();
    const encodings = ['utf-16be', 'shift_jis', 'windows-1251', 'gb18030', 'iso-2022-jp'];
    for (const encoding of encodings.slice(0, -1))
      writeFileSync(join(cwd, `${encoding}.csv`), iconv.encode(products(2), encoding));
    writeFileSync(join(cwd, 'iso-2022-jp.csv'), products(2));
    const commands = encodings.map((encoding) => ['products', `${encoding}.csv`, '--encoding', encoding]);
    const env = { ...process.env, NODE_OPTIONS: `--import ${preload}` };
    const ended = await typedInTurn(cwd, commands, { env });
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0, 5]);
    expect(ended.at(-1)?.stderr).toContain('small ICU');
  });
});
