// The guards of a feed beyond those of feed-accidents.slow.test.ts: entries that lists lose, drafts that become visible, refused rows, leaks
// over several nights; and what they found, in the result of runs that pass, too.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, typedHere } from './typed.js';

function feed(resource = 'products') {
  const path = folder();
  const at = (name: string) => join(path, name);
  const run = (...args: string[]) => typedHere([...args, '--db', at('shop.db')]);
  return {
    at,
    run,
    night(rows: string | readonly object[], ...options: string[]) {
      const file = at(typeof rows === 'string' ? 'f.csv' : 'f.json');
      writeFileSync(file, typeof rows === 'string' ? rows : JSON.stringify(rows));
      return run(resource, file, '--feed', 'erp', '--output', 'ndjson', '--report', 'none', ...options);
    },
  };
}

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i);

/** A feed of so many products with a status, after those that are left out. */
const list = (count: number, status: (i: number) => string = () => 'activated', from = 0): string =>
  `sku,currency,price,status\n${numbers(count)
    .map((i) => `A-${i + from},EUR,10.00,${status(i)}\n`)
    .join('')}`;

const summaryOf = (stdout: string) => JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
const guardsOf = (stdout: string): readonly { guard: string; passed: boolean }[] => summaryOf(stdout).guards;

describe('guards stop', () => {
  it('drafts that go live, and not what is listed again after it was suspended', async () => {
    const erp = feed();
    await erp.night(list(60, (i) => (i < 20 ? 'draft' : 'activated')));
    const { code, stderr } = await erp.night(list(60));
    expect(code).toBe(8);
    expect(stderr).toContain('--max-shown: 20 would become visible, 33.3 % of 60 (limit 20 %)');
    expect(stderr).toContain('line 2: A-0: status draft → activated');
    expect((await erp.night(list(60), '--max-shown', 'off')).code).toBe(0);
    const half = await erp.night(list(30), '--missing', 'suspend', '--max-missing', 'off');
    expect(half.code).toBe(0);
    expect((await erp.night(list(60), '--max-created', 'off')).code).toBe(0);
  });

  it('lists that lose their entries', async () => {
    const erp = feed('characteristics');
    const all = numbers(12).map((i) => ({
      name: `Size ${i}`,
      values: numbers(5).map((n) => ({ label: `v${n}` })),
    }));
    await erp.night(all);
    const { code, stderr } = await erp.night(all.map(({ name }) => ({ name, values: [] })));
    expect(code).toBe(8);
    expect(stderr).toContain('--max-emptied: 60 entries of lists would be deactivated, 100 % of 60 (limit 20 %)');
    const few = all.map((one, i) => (i < 2 ? { ...one, values: one.values.slice(1) } : one));
    expect((await erp.night(few)).code).toBe(0);
  });

  it('rows that are refused, beyond what the last run had', async () => {
    const erp = feed();
    const dear = (count: number): string => list(40).replaceAll(/10\.00/g, (price) => (count-- > 0 ? 'dear' : price));
    await erp.night(dear(4));
    const { code, stderr } = await erp.night(dear(40));
    expect(code).toBe(8);
    expect(stderr).toContain(
      '--max-refused: 40 would be refused, 100 % of 40 (limit 20 % above the 10 % of the last run',
    );
    expect((await erp.night(dear(11))).code).toBe(3);
    expect((await erp.night(dear(40), '--max-refused', 'off')).code).toBe(3);
  });

  it('no night after one of which every row was refused, be it the first', async () => {
    const erp = feed();
    const dear = list(40).replaceAll('10.00', 'dear');
    const first = await erp.night(dear);
    expect(first.code).toBe(3);
    expect(summaryOf(first.stdout).warnings).toContainEqual(
      expect.objectContaining({ code: 'no_row_accepted', params: { feed: 'erp', resource: 'product', count: 40 } }),
    );
    expect((await erp.night(list(40))).code).toBe(0);
    // Neither what is listed moves, nor what rows had.
    const other = list(10, () => 'activated', 40).replaceAll('10.00', 'dear');
    const guardless = ['--max-refused', 'off', '--max-missing', 'off', '--missing', 'suspend'];
    const refused = await erp.night(other, ...guardless);
    expect([refused.code, summaryOf(refused.stdout).end.suspended]).toEqual([3, 0]);
    const { code, stderr } = await erp.night(list(20));
    expect(code).toBe(8);
    expect(stderr).toContain('--max-missing: 20 are missing, 50 % of 40');
  });

  it('a leak: 18 % fewer on each night go beyond twice the limit on the third', async () => {
    const erp = feed();
    const codes: number[] = [];
    let count = 200;
    for (let night = 0; night < 4; night++) {
      codes.push((await erp.night(list(count), '--missing', 'suspend')).code);
      count = Math.ceil(count * 0.82);
    }
    expect(codes).toEqual([0, 0, 0, 8]);
    const { stderr } = await erp.night(list(110), '--missing', 'suspend');
    expect(stderr).toContain('--max-missing: 90 are missing since a week ago, 45 % of 200 (limit 40 %)');
    // What is beyond the limit of a night as well is named once.
    const both = await erp.night(list(60), '--missing', 'suspend');
    expect(both.stderr.match(/--max-missing: /g)).toHaveLength(2);
    expect(both.stderr.match(/^ +A-60$/gm)).toHaveLength(1);
    // Who decides that this is right is not asked every night of the week.
    expect((await erp.night(list(110), '--max-missing', 'off')).code).toBe(0);
    expect((await erp.night(list(108))).code).toBe(0);
  });

  it('no nights on which records go and come back', async () => {
    const erp = feed();
    await erp.night(list(100));
    for (let night = 0; night < 6; night++) {
      const { code, stderr } = await erp.night(list(85, undefined, night % 2 === 0 ? 15 : 0), '--missing', 'suspend');
      expect([night, code, stderr.includes('stopped')]).toEqual([night, 0, false]);
    }
  });
});

describe('a guard', () => {
  it('says its figure where it passes, in the result, in runs show and in the status file', async () => {
    const erp = feed();
    await erp.night(list(100));
    const { stdout, stderr } = await erp.night(list(100, undefined, 4), '--status-file', erp.at('s.prom'));
    expect(stderr).toContain('4 would be created, 4 % of 100 (limit 20 %)');
    expect(guardsOf(stdout)).toContainEqual({
      ...{ guard: 'created', option: '--max-created', resource: 'product', against: 'last', count: 4, back: 0 },
      ...{ of: 100, limit: 0.2, passed: true, words: '4 would be created, 4 % of 100 (limit 20 %)' },
    });
    const shown = await erp.run('runs', 'show', '2');
    expect(shown.stdout).toContain('--max-created: 4 would be created, 4 % of 100 (limit 20 %)');
    const status = readFileSync(erp.at('s.prom'), 'utf8');
    const labels = 'feed="erp",resource="product",guard="created",against="last"';
    expect(status).toContain(`catalog_import_guard_share{${labels}} 0.04\n`);
    expect(status).toContain(`catalog_import_guard_limit{${labels}} 0.2\n`);
  });

  it('says one of one, and looks without writing what the run wrote', async () => {
    const erp = feed();
    await erp.night(list(3));
    expect((await erp.night(list(2))).stderr).toContain(
      '1 is missing, 33.3 % of 3 (limit 20 %, and up to 5 always pass)',
    );
    const { code, stderr } = await erp.night(
      'sku\n',
      '--report-file',
      erp.at('r.html'),
      '--status-file',
      erp.at('s.prom'),
      '--no-history',
    );
    expect(code).toBe(8);
    const [, look = ''] = /To see what it would change:\n {2}(.*)\n/.exec(stderr) ?? [];
    expect(look).toMatch(/--dry-run --diff/);
    expect(look).not.toMatch(/r\.html|s\.prom/);
  });

  it('says no share of more records than there were', async () => {
    const erp = feed();
    await erp.night(list(100));
    const { code, stderr } = await erp.night(list(110, undefined, 1000));
    expect(code).toBe(8);
    expect(stderr).toContain(
      '--max-created: 110 would be created, more than the 100 rows of the last run (limit 20 %)\n',
    );
  });

  it('says that a few always pass, where a small feed is beyond its limit', async () => {
    const erp = feed();
    await erp.night(list(10));
    const { code, stderr } = await erp.night(list(13));
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('3 would be created, 30 % of 10 (limit 20 %, and up to 5 always pass)'),
    ]);
  });

  it('of a run that it stops is in the summary with its offenders, and in the ledger', async () => {
    const erp = feed();
    await erp.night(list(100));
    const { stdout } = await erp.night(list(100, undefined, 50));
    const summary = summaryOf(stdout);
    expect([summary.exit, summary.stopped, summary.total]).toEqual([8, 'guard_stopped', 0]);
    const created = summary.guards.find(({ guard }: { guard: string }) => guard === 'created');
    expect(created).toMatchObject({ passed: false, count: 50, more: 30 });
    expect(created.offenders[0]).toEqual({ place: 'line 52', key: 'A-100', words: '' });
    expect((await erp.run('runs', 'show', '2')).stdout).toContain('(limit 20 %): stopped the run');
  });

  it('does not take a constant for a column, and tells of a column that is gone', async () => {
    const erp = feed();
    const plain = (head: string, cell: string) =>
      `sku,currency${head}\n${numbers(20)
        .map((i) => `A-${i},EUR${cell}\n`)
        .join('')}`;
    await erp.night(plain(',note', ',x'), '--set', 'status=activated', '--rename', 'note=description');
    const { code, stdout } = await erp.night(plain('', ''), '--max-missing', 'off');
    expect(code).toBe(0);
    const gone = summaryOf(stdout).warnings.filter(({ code: one }: { code: string }) => one === 'column_vanished');
    expect(gone.map(({ params }: { params: object }) => params)).toEqual([
      { feed: 'erp', resource: 'product', fields: ['description'], count: 20 },
    ]);
  });
});

describe('last_success', () => {
  const success = 'catalog_import_last_success_timestamp_seconds{feed="erp"}';

  it('does not move where every row is refused, a guard stops the run, or a part is read', async () => {
    const erp = feed();
    const status = ['--status-file', erp.at('s.prom')];
    const moved = () => readFileSync(erp.at('s.prom'), 'utf8').includes(success);
    expect((await erp.night(list(10).replaceAll('10.00', 'dear'), ...status)).code).toBe(3);
    expect(moved()).toBe(false);
    await erp.night(list(10), '--limit', '3', ...status);
    expect(moved()).toBe(false);
    await erp.night(list(10), ...status, '--max-refused', 'off', '--max-created', 'off');
    expect(moved()).toBe(true);
  });

  it('is kept up by the command that a blocked night prints', async () => {
    const erp = feed();
    await erp.night(list(10));
    const status = ['--status-file', erp.at('s.prom'), `--report-file=${erp.at('{feed}-{run}.csv')}`];
    const { stderr } = await erp.night(list(40), ...status, '--on-end', 'true', '--on-end-when', 'failure');
    const [, command = ''] = /go on with:\n {2}(.*)/.exec(stderr) ?? [];
    expect(command).toContain(`--status-file ${erp.at('s.prom')}`);
    expect(command).toContain('{feed}-{run}.csv');
    expect(command).toContain('--on-end true --on-end-when failure');
    expect(stderr).toMatch(/To see what it would change:\n {2}catalog-import plan show .*blocked-2\.plan/);
  });
});
