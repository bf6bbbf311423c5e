// Several importers that share a folder of journals, as jobs of one machine or two machines with a common folder: imports of one
// feed take turns, and what `--changed-only` leaves out is what the remote acknowledged last, whoever sent what and was killed.
import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { takeLock } from '../../../src/store/sqlite/file/exclusive-lock.js';
import { outcome, start } from '../../cli/started.js';
import { folder, typedHere } from '../../cli/typed.js';
import { resourceCalled } from '../../given.js';
import { repetitions } from '../../tier.js';
import { until } from '../../until.js';
import { type GivenServer, givenServer } from '../server/given-server.js';

const rounds = repetitions('JOURNAL_ROUNDS', { fast: 1, moderate: 1, full: 30 });
const rows = 300;

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

/** A folder with the files of feeds, and the machines that share its journals. */
function sharing() {
  const path = folder();
  const off = ['--max-missing', 'off', '--max-created', 'off', '--max-price-change', 'off'];
  return {
    path,
    write(name: string, prefix: string, price: (i: number) => number): void {
      const lines = Array.from({ length: rows }, (_, i) => `${prefix}${i},EUR,${price(i)}.00\n`);
      writeFileSync(join(path, name), `sku,currency,price\n${lines.join('')}`);
    },
    /** Starts an import of `erp.csv` as feed erp on a machine. */
    start(feed: string, machine: string, ...options: string[]): ChildProcess {
      const env = { HOME: join(path, machine), HOSTNAME: machine, XDG_STATE_HOME: join(path, 'state') };
      const args = [
        'products',
        `${feed}.csv`,
        '--feed',
        feed,
        '--remote',
        given.server.url,
        '--report',
        'none',
        ...off,
      ];
      return start(path, [...args, ...options], { ...env, CATALOG_API_KEY: given.key });
    },
  };
}

/** The price of each product of a prefix. */
async function prices(prefix: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (let after: string | undefined; ; ) {
    const page = await given.catalog.list(resourceCalled('products'), {
      limit: 500,
      ...(after !== undefined && { after }),
    });
    for (const { sku, price } of page.records)
      if (String(sku).startsWith(prefix)) found.set(String(sku), String(price));
    after = page.next;
    if (after === undefined) return found;
  }
}

/** Begins to count the requests that the server is sent; gives what waits until there were so many. */
async function requests(): Promise<(count: number) => Promise<unknown>> {
  const now = () => given.metric('catalog_http_requests_total');
  const earlier = await now();
  return (count) => until(`${count} requests`, async () => (await now()) >= earlier + count);
}

describe('importers that share their journals', () => {
  it('two imports of one feed take turns: the second goes by what the first left', async () => {
    const it = sharing();
    it.write('turns.csv', 'T', () => 5);
    expect((await outcome(it.start('turns', 'one', '--changed-only'))).code).toBe(0);
    it.write('turns.csv', 'T', (i) => 6 + (i % 2));
    const both = [it.start('turns', 'one', '--changed-only'), it.start('turns', 'two', '--changed-only')];
    const ended = await Promise.all(both.map(outcome));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(({ stderr }) => [0, stderr]));
    const { stdout } = await typedHere(['runs', '--feed', 'turns', '--output', 'json', '--db', given.file]);
    // One of them sent all that changed, the other nothing: it knew what the first had been acknowledged.
    expect(JSON.parse(stdout)).toMatchObject([
      { created: rows },
      { state: 'done', updated: rows, total: rows },
      { state: 'done', total: 0 },
    ]);
  });

  it('one that waits in vain ends, and the lock of a process that was killed is free', async () => {
    const it = sharing();
    const file = join(it.path, 'held.lock');
    let waits = 0;
    const held = await takeLock(file, 0, () => undefined);
    expect(await takeLock(file, 300, () => waits++)).toBeUndefined();
    expect(waits).toBe(1);
    held?.();
    const again = await takeLock(file, 0, () => undefined);
    expect(again).toBeDefined();
    again?.();

    it.write('killed.csv', 'K', () => 5);
    const sent = await requests();
    const child = it.start('killed', 'one');
    const gone = outcome(child);
    await sent(3);
    child.kill('SIGKILL');
    expect((await gone).signal).toBe('SIGKILL');
    const next = await outcome(it.start('killed', 'two'));
    expect([next.code, next.stderr]).toEqual([0, expect.not.stringContaining('waiting')]);
  });

  it('feeds of the same records at once, some killed: then each ends with what its file says', async () => {
    const it = sharing();
    for (let round = 1; round <= rounds; round++) {
      // Half of the rows change each time, the other half goes back to what it was.
      it.write('left.csv', 'S', (i) => 100 + ((i + round) % 2));
      it.write('right.csv', 'S', (i) => 200 + ((i + (round >> 1)) % 2));
      const sent = await requests();
      const both = [it.start('left', 'one', '--changed-only'), it.start('right', 'two', '--changed-only')];
      const ended = both.map(outcome);
      if (round % 3 !== 0) {
        await sent(2 + (round % 5));
        both[round % 2]?.kill('SIGKILL');
      }
      await Promise.all(ended);
      await expect.poll(() => given.metric('catalog_http_requests_in_flight')).toBe(0);
      for (const [feed, price] of [
        ['left', (i: number) => 100 + ((i + round) % 2)],
        ['right', (i: number) => 200 + ((i + (round >> 1)) % 2)],
      ] as const) {
        const { code, stderr } = await outcome(it.start(feed, 'one', '--changed-only'));
        expect(code, stderr).toBe(0);
        const found = await prices('S');
        for (let i = 0; i < rows; i++)
          expect(found.get(`S${i}`), `round ${round}, ${feed}, S${i}`).toBe(`${price(i)}.00`);
      }
    }
  });
});
