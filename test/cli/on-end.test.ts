// `--on-end`: the result of a run, passed to a command.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outcome, program, start } from './started.js';
import { folder, products, typed } from './typed.js';

const file = (cwd: string): string => join(cwd, 'ended.json');
const resultIn = (cwd: string) => JSON.parse(readFileSync(file(cwd), 'utf8'));
const save = ['--on-end', 'cat > ended.json'];

describe('--on-end', () => {
  it('gets the counts, the warnings and the exit code, also with --quiet and after a guard', async () => {
    const cwd = folder({ 'feed.csv': products(20), 'bad.csv': 'sku,currency,curency\nA,EUR,x\nB,ZZQ,x\n' });
    expect((await typed(cwd, ['products', 'feed.csv', '--feed', 'erp', '--quiet', ...save])).stdout).toBe('');
    expect(resultIn(cwd)).toMatchObject({ type: 'summary', run: 1, feed: 'erp', created: 20, refused: 0, exit: 0 });
    expect((await typed(cwd, ['products', 'bad.csv', ...save])).code).toBe(3);
    expect(resultIn(cwd)).toMatchObject({
      created: 1,
      refused: 1,
      exit: 3,
      codes: { field_not_allowed_value: 1 },
      warnings: [{ code: 'columns_ignored' }],
    });
    expect((await typed(cwd, ['products', 'bad.csv', '--feed', 'erp', ...save])).code).toBe(8);
    expect(resultIn(cwd)).toMatchObject({ exit: 8, stopped: 'guard_stopped', guards: expect.any(Array) });
  });

  it.each(['--on-end', '--status-file', '--refused-file', '--report-file', '--map'])(
    '%s of a variable that is not set ends with 2, before anything is written',
    async (option) => {
      const cwd = folder({ 'feed.csv': products(1) });
      const { code, stderr } = await typed(cwd, ['products', 'feed.csv', option, ' ']);
      expect([code, stderr]).toEqual([2, expect.stringContaining("argument ' ' is invalid. It is empty.")]);
      expect(existsSync(join(cwd, 'catalog.db'))).toBe(false);
    },
  );

  it('that is too long to be started is a warning', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    const { code, stderr } = await typed(cwd, ['products', 'feed.csv', '--on-end', `: ${'x'.repeat(3_000_000)}`]);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/E2BIG|ENAMETOOLONG/)]);
  });

  it('can look at what the run changed, by its number', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    const look = `'${process.execPath}' '${program}' runs show "$(sed 's/.*"run":\\([0-9]*\\).*/\\1/')" --changes --output json > changed.json`;
    expect(await typed(cwd, ['products', 'feed.csv', '-q', '--on-end', look])).toMatchObject({ code: 0, stderr: '' });
    const changed = readFileSync(join(cwd, 'changed.json'), 'utf8').trim().split('\n');
    expect(changed.map((line) => JSON.parse(line).key)).toEqual(['S-0', 'S-1']);
    // Without a history there is no number.
    await typed(cwd, ['products', 'feed.csv', '--no-history', ...save]);
    expect(resultIn(cwd)).toMatchObject({ run: null, feed: null });
  });

  it('runs when the report is at its place', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    const told = await typed(cwd, ['products', 'feed.csv', '--report-file', 'r.csv', '--on-end', 'wc -l < r.csv']);
    expect(told.stderr).toMatch(/^ *3$/m);
    expect(told.stdout).not.toMatch(/^ *3$/m);
  });

  it('runs only when there is a reason, with --on-end-when', async () => {
    const cwd = folder({ 'feed.csv': products(2), 'bad.csv': 'sku,currency\nX,ZZQ\n' });
    const ran = async (name: string, when: string): Promise<boolean> => {
      await typed(cwd, ['products', name, '--on-end', `cat > ${when}-${name}.json`, '--on-end-when', when]);
      return existsSync(join(cwd, `${when}-${name}.json`));
    };
    expect(await ran('feed.csv', 'failure,change')).toBe(true);
    expect([await ran('feed.csv', 'change'), await ran('feed.csv', 'failure')]).toEqual([false, false]);
    expect([await ran('bad.csv', 'failure'), await ran('bad.csv', 'change')]).toEqual([true, false]);
    expect((await typed(cwd, ['products', 'feed.csv', ...save, '--on-end-when', 'never'])).code).toBe(2);
  });

  it('is a warning where it fails, and changes nothing of the run', async () => {
    const cwd = folder({ 'feed.csv': products(2) });
    const failed = await typed(cwd, ['products', 'feed.csv', '-q', '--on-end', 'exit 4']);
    expect(failed).toMatchObject({ code: 0, stdout: '' });
    expect(failed.stderr).toContain('warning on_end_failed: --on-end exit 4: it ended with exit code 4.');
    // It need not read what it gets.
    expect(await typed(cwd, ['products', 'feed.csv', '-q', '--on-end', 'true'])).toMatchObject({ code: 0, stderr: '' });
    expect((await typed(cwd, ['explain', 'on_end_failed'])).stdout).toContain('--on-end');
  });

  it('does not wait for what it leaves running in the background', async () => {
    const cwd = folder({ 'feed.csv': products(1) });
    const command = 'echo begun; cat > ended.json; sleep 300 & echo $! > background';
    try {
      // Only a whole process shows what its end waits for.
      const { code, stderr } = await outcome(start(cwd, ['products', 'feed.csv', '--on-end', command]));
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^begun$/m)]);
    } finally {
      process.kill(Number(readFileSync(join(cwd, 'background'), 'utf8')));
    }
  });

  it('is neither run after a dry run nor set by the file of a folder', async () => {
    const cwd = folder({ 'feed.csv': products(2), 'catalog-import.yaml': 'defaults:\n  on-end: "cat > ended.json"\n' });
    expect((await typed(cwd, ['products', 'feed.csv'])).code).toBe(2);
    const dry = await typed(cwd, ['products', 'feed.csv', '--no-config', '-n', ...save]);
    expect(dry).toMatchObject({ code: 0, stderr: expect.stringContaining('does not run the command of --on-end') });
    expect(existsSync(file(cwd))).toBe(false);
  });
});
