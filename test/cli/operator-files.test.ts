// What somebody who runs imports at night needs: reports by run, a status file, lines with dates, and the last good report.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { allowed } from '../tier.js';
import { typedAsProcess } from './started.js';
import { folder, typedHere } from './typed.js';

const good = 'sku,currency\nA,EUR\nB,EUR\n';

/** Types an import of products in a folder. */
function importer(files: Readonly<Record<string, string>> = {}) {
  const cwd = folder({
    'feed.csv': good,
    'bad.csv': 'sku,currency\nC,none\n',
    'empty.csv': 'sku,currency\n',
    ...files,
  });
  const at = (name: string): string => join(cwd, name);
  return {
    at,
    read: (name: string): string => readFileSync(at(name), 'utf8'),
    run: (file: string, ...options: readonly string[]) => {
      const paths = options.map((option, i) => (/-file$/.test(options[i - 1] ?? '') ? at(option) : option));
      const args = ['products', at(file), '--db', at('c.db'), ...paths];
      // What a page is made of is built.
      return options.some((option) => option.endsWith('.html')) ? typedAsProcess(cwd, args) : typedHere(args);
    },
    names: (): string[] => readdirSync(cwd).filter((name) => !/^c\.db|feed\.csv|bad\.csv|empty\.csv/.test(name)),
  };
}

/** The samples of a status file by name and labels. */
function samples(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

describe('names of report files', () => {
  it('are filled in with feed, run, date and time', async () => {
    const it = importer();
    expect((await it.run('feed.csv', '--feed', 'erp', '--report-file', '{feed}-{run}.ndjson')).code).toBe(0);
    expect((await it.run('feed.csv', '--feed', 'erp', '--report-file', '{feed}-{run}.csv')).code).toBe(0);
    expect(it.names().sort()).toEqual(['erp-1.ndjson', 'erp-2.csv']);
    await it.run('feed.csv', '--report-file', 'at-{date}-{time}.json');
    expect(it.names()).toContainEqual(expect.stringMatching(/^at-\d{4}-\d{2}-\d{2}-\d{6}\.json$/));
    await it.run('feed.csv', '--dry-run', '--report-file', 'x-{run}.json');
    expect(it.names()).toContain('x-dry-run.json');
  });

  it.each([
    [['--report-file', '{fed}.csv'], '{fed} is not known'],
    [['--report-file', '{feed}.csv'], '{feed} needs --feed'],
    [['--no-history', '--report-file', '{run}.csv'], 'has no run number'],
    [['--report-file', 'report.pdf'], '.pdf is not a form of report'],
  ])('%j is a usage error, before anything is imported', async (options, words) => {
    const it = importer();
    const told = await it.run('feed.csv', ...options);
    expect(told.code).toBe(2);
    expect(told.stderr).toContain(words);
    expect(existsSync(it.at('c.db'))).toBe(false);
  });
});

describe('the last good report', () => {
  it.each(['last.csv', 'last.json', 'last.ndjson', 'last.html'])(
    '%s stays after a run that failed or was empty',
    async (name) => {
      const it = importer({ 'cut.csv': `${good}"D,EUR\n` });
      await it.run('feed.csv', '--report-file', name);
      const before = it.read(name);
      const empty = await it.run('empty.csv', '--report-file', name);
      expect(empty.code).toBe(0);
      expect(empty.stderr).toContain(`${it.at(name)} stays as an earlier run left it: this one had no records.`);
      expect(it.read(name)).toBe(before);
      const stopped = await it.run('bad.csv', '--report-file', name, '--max-refused', '0');
      expect(stopped.code).toBe(8);
      expect(it.read(name)).toBe(before);
      const failed = name.replace('.', '.failed.');
      expect(stopped.stderr).toContain(`the report of this run, which failed, is ${it.at(failed)}`);
      if (name.includes('json')) expect(it.read(failed)).toContain('guard_stopped');
      else expect(it.read(failed)).not.toBe('');
      expect((await it.run('bad.csv', '--report-file', name)).code).toBe(3);
      expect(it.read(name)).not.toBe(before);
      expect(it.names().filter((one) => one.endsWith('.tmp'))).toEqual([]);
    },
  );

  it('a run that cannot read its file writes a page only where there was none', async () => {
    const it = importer();
    expect((await it.run('nowhere.csv', '--report-file', 'first.html')).code).toBe(5);
    expect(it.read('first.html')).toContain('nowhere.csv');
  });
});

describe('--status-file', () => {
  it('tells exit, time, duration and counts by resource, and keeps the last success', async () => {
    const it = importer();
    const name = (metric: string, more = '') => `catalog_import_last_${metric}{feed="erp"${more}}`;
    const item = (action: string) => name('items', `,resource="product",action="${action}"`);
    const before = Math.floor(Date.now() / 1000);
    await it.run('feed.csv', '--feed', 'erp', '--status-file', 'erp.prom');
    const first = samples(it.read('erp.prom'));
    expect(first).toMatchObject({ [name('exit_code')]: 0, [item('created')]: 2, [item('refused')]: 0 });
    expect(first[name('success_timestamp_seconds')]).toBeGreaterThanOrEqual(before);
    expect(first[name('duration_seconds')]).toBeLessThan(allowed(60));
    writeFileSync(it.at('erp.prom'), it.read('erp.prom').replaceAll(/(timestamp_seconds\{.*\}) \d+/g, '$1 1000'));
    expect((await it.run('bad.csv', '--feed', 'erp', '--status-file', 'erp.prom', '--max-refused', '0')).code).toBe(8);
    const stopped = samples(it.read('erp.prom'));
    expect(stopped).toMatchObject({ [name('exit_code')]: 8, [name('success_timestamp_seconds')]: 1000 });
    expect(stopped[name('run_timestamp_seconds')]).toBeGreaterThanOrEqual(before);
    expect((await it.run('nowhere.csv', '--feed', 'erp', '--status-file', 'erp.prom')).code).toBe(5);
    expect(samples(it.read('erp.prom'))).toMatchObject({
      [name('exit_code')]: 5,
      [name('success_timestamp_seconds')]: 1000,
    });
    writeFileSync(it.at('bad.csv'), `${good}C,none\n`);
    expect((await it.run('bad.csv', '--feed', 'erp', '--status-file', 'erp.prom')).code).toBe(3);
    expect(samples(it.read('erp.prom'))[name('success_timestamp_seconds')]).toBeGreaterThanOrEqual(before);
  });

  it('is one file for several feeds, and names a run without a feed after its file', async () => {
    const it = importer({ 'we"ird\\.csv': good });
    await it.run('feed.csv', '--feed', 'erp', '--status-file', 'all.prom');
    await it.run('we"ird\\.csv', '--status-file', 'all.prom');
    await it.run('feed.csv', '--feed', 'other', '--status-file', 'all.prom');
    const exits = Object.keys(samples(it.read('all.prom'))).filter((key) => key.includes('exit_code'));
    expect(exits.map((key) => key.slice(key.indexOf('{'))).sort()).toEqual([
      '{feed="erp"}',
      '{feed="other"}',
      '{feed="we\\"ird\\\\.csv"}',
    ]);
  });

  it('tells a first run of a feed without rows as stopped, as its log and exit code do', async () => {
    const it = importer();
    const { code, stderr } = await it.run('empty.csv', '--feed', 'erp', '--status-file', 'a.prom');
    expect(code).toBe(8);
    expect(stderr).toContain('ended with exit code 8');
    const told = samples(it.read('a.prom'));
    expect(told['catalog_import_last_exit_code{feed="erp"}']).toBe(8);
    expect(told).not.toHaveProperty(['catalog_import_last_success_timestamp_seconds{feed="erp"}']);
  });

  it('has the permissions that the umask allows, and an existing file keeps its own', async () => {
    const it = importer();
    await it.run('feed.csv', '--status-file', 'a.prom', '--report-file', 'r.csv');
    const modeOf = (name: string) => statSync(it.at(name)).mode & 0o777;
    expect(modeOf('a.prom')).toBe(0o666 & ~process.umask());
    expect(modeOf('r.csv')).toBe(0o600);
  });

  it('is not written by a dry run, and is never an input or the catalog', async () => {
    const it = importer();
    const dry = await it.run('feed.csv', '--dry-run', '--status-file', 'a.prom');
    expect(dry.stderr).toContain('A dry run leaves the file of --status-file unchanged.');
    expect(existsSync(it.at('a.prom'))).toBe(false);
    expect((await it.run('feed.csv', '--status-file', 'feed.csv')).code).toBe(2);
    mkdirSync(it.at('folder.prom'));
    // Before anything is imported.
    const none = await it.run('feed.csv', '--status-file', 'folder.prom/none/a.prom');
    expect(none.code).toBe(2);
    expect(none.stderr).toContain('folder.prom/none does not exist. Make it, or name another file.');
    expect(none.stdout).toBe('');
    const report = await it.run('feed.csv', '--feed', 'erp', '--report-file', 'reports/{feed}.csv');
    expect(report.code).toBe(2);
    expect(report.stderr).toContain('reports does not exist. Make it, or name another file.');
  });
});

describe('lines of a log', () => {
  it('say when a run starts and ends, with its number, feed, exit code and counts; --quiet says nothing', async () => {
    const it = importer();
    const { stderr } = await it.run('bad.csv', '--feed', 'erp');
    expect(stderr).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ products \S+bad\.csv: started \(run 1, feed erp\)$/m);
    expect(stderr).toMatch(
      /Z products \S+bad\.csv: ended with exit code 3 after \d+\.\d s \(run 1, feed erp\): 0 created, 0 updated, 0 unchanged, 1 refused$/m,
    );
    expect((await it.run('feed.csv', '--quiet')).stderr).toBe('');
    expect((await it.run('nowhere.csv')).stderr).toMatch(/nowhere\.csv: ended with exit code 5/);
  });
});
