// `--changed-only` as it is typed: which requests a served instance gets, what is said, and what makes everything be sent.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { product } from '../../../src/core/resources/product.js';
import { outcome, start } from '../../cli/started.js';
import { folder, type Typed, typed } from '../../cli/typed.js';
import { freePort } from '../../free-port.js';
import { type GivenServer, givenServer } from '../server/given-server.js';
import { oddRemote } from './odd-remote.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

/** A feed of 130 products; `changes` has other prices for some. */
function feed(prefix: string, changes: Readonly<Record<number, string>> = {}, count = 130): string {
  const rows = Array.from(
    { length: count },
    (_, i) => `${prefix}${i},EUR,Name ${prefix} ${i}x,${changes[i] ?? '5.00'}\n`,
  );
  return `sku,currency,name,price\n${rows.join('')}`;
}

function envOf(cwd: string): NodeJS.ProcessEnv {
  return { CATALOG_API_KEY: given.key, XDG_STATE_HOME: join(cwd, 'state') };
}

interface Sent extends Typed {
  /** Requests that were posted. */
  readonly posts: number;
  readonly actions: readonly string[];
  readonly notSent: number;
}

/** Types an import into the instance, and counts what it was sent. */
async function send(cwd: string, args: readonly string[], url = given.server.url): Promise<Sent> {
  const earlier = await given.metric('catalog_http_requests_total');
  const told = await typed(cwd, ['products', ...args, '--remote', url, '--output', 'ndjson'], { env: envOf(cwd) });
  const lines = told.stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as { action: string; notice?: { code: string }[] })
    .filter(({ action }) => action !== undefined);
  const notSent = lines.filter(({ notice }) => notice?.some(({ code }) => code === 'not_sent')).length;
  const posts = (await given.metric('catalog_http_requests_total')) - earlier;
  return { ...told, posts, actions: lines.map(({ action }) => action), notSent };
}

const count = (actions: readonly string[], action: string): number => actions.filter((one) => one === action).length;

describe('--changed-only', () => {
  it('sends nothing where nothing changed, and one batch and the end of the run where two rows did', async () => {
    const cwd = folder({ 'feed.csv': feed('A') });
    const first = await send(cwd, ['feed.csv', '--changed-only']);
    expect(first).toMatchObject({ code: 0, notSent: 0 });
    expect(count(first.actions, 'created')).toBe(130);
    const again = await send(cwd, ['feed.csv', '--changed-only']);
    expect(again).toMatchObject({ code: 0, notSent: 130, posts: 0 });
    expect(again.stderr).toContain('feed.csv: 130 items were not sent: the remote acknowledged the same before.');
    expect(again.stderr).toContain('--full sends all');
    writeFileSync(join(cwd, 'feed.csv'), feed('A', { 7: '6.00', 120: '6.00' }));
    const changed = await send(cwd, ['feed.csv', '--changed-only']);
    expect(changed).toMatchObject({ code: 0, notSent: 128, posts: 2 });
    expect(changed.actions[7]).toBe('updated');
    expect(changed.actions[120]).toBe('updated');
    expect(count(changed.actions, 'unchanged')).toBe(128);
    expect(await given.catalog.read(product, { key: 'A120' })).toMatchObject({ price: '6.00' });
    expect(readdirSync(join(cwd, 'state', 'catalog-import'))).toEqual([expect.stringMatching(/\.acknowledged\.db$/)]);
  });

  it('a refused row is sent every time; a dry run shows the same and writes nothing', async () => {
    const cwd = folder({ 'feed.csv': feed('B', {}, 51).replace('B3,EUR', 'B3,none') });
    const first = await send(cwd, ['feed.csv', '--changed-only']);
    expect(first.code).toBe(3);
    const dry = await send(cwd, ['feed.csv', '--changed-only', '--dry-run']);
    const again = await send(cwd, ['feed.csv', '--changed-only']);
    expect(again).toMatchObject({ code: 3, notSent: 50 });
    expect(dry).toMatchObject({ code: 3, notSent: 50, actions: again.actions });
    expect(again.actions[3]).toBe('refused');
  });

  it('--full, another option, mapping or file sends everything, and so does a file that was damaged', async () => {
    const cwd = folder({ 'feed.csv': feed('C'), 'm.yaml': 'set: { note: x }\n' });
    const only = ['feed.csv', '--changed-only'];
    expect((await send(cwd, only)).notSent).toBe(0);
    expect((await send(cwd, [...only, '--full'])).notSent).toBe(0);
    expect((await send(cwd, only)).notSent).toBe(130);
    expect((await send(cwd, [...only, '--set', 'note=y'])).notSent).toBe(0);
    expect((await send(cwd, only)).notSent).toBe(0);
    writeFileSync(join(cwd, 'other.csv'), feed('C'));
    expect((await send(cwd, ['other.csv', '--changed-only'])).notSent).toBe(0);
    expect((await send(cwd, only)).notSent).toBe(0);
    const [name = ''] = readdirSync(join(cwd, 'state', 'catalog-import'));
    writeFileSync(join(cwd, 'state', 'catalog-import', name), 'nonsense'.repeat(2_000));
    const damaged = await send(cwd, only);
    expect(damaged).toMatchObject({ code: 0, notSent: 0 });
    expect(damaged.stderr).toContain('was damaged');
    expect((await send(cwd, only)).notSent).toBe(130);
  });

  it('of a named feed the name of the file does not matter', async () => {
    const cwd = folder({ 'monday.csv': feed('J', {}, 50), 'tuesday.csv': feed('J', { 3: '6.00' }, 50) });
    await send(cwd, ['monday.csv', '--changed-only', '--feed', 'erp']);
    expect(await send(cwd, ['tuesday.csv', '--changed-only', '--feed', 'erp'])).toMatchObject({
      notSent: 49,
      // One batch as a dry run, which the guards of the feed are held against, the same in earnest, and the end of the run.
      posts: 3,
    });
    expect((await send(cwd, ['tuesday.csv', '--changed-only', '--feed', 'other'])).notSent).toBe(0);
  });

  it('says how many items it could not leave out, and why', async () => {
    const cwd = folder({ 'erp.csv': feed('S', {}, 8), 'sub.csv': feed('S', {}, 5) });
    const night = (name: string) => send(cwd, [`${name}.csv`, '--changed-only', '--feed', name]);
    await night('erp');
    const shared = await night('sub');
    expect(shared.stderr).toContain('5 items could not be left out by --changed-only: 5 whose records another feed,');
    const back = await night('erp');
    expect(back).toMatchObject({ code: 0, notSent: 3 });
    const { warnings } = JSON.parse(back.stdout.trim().split('\n').at(-1) ?? '');
    expect(warnings).toContainEqual(
      expect.objectContaining({ code: 'items_not_withheld', params: { file: 'erp.csv', shared: 5, unsettled: 0 } }),
    );
    writeFileSync(join(cwd, 'erp.csv'), feed('S', { 7: 'dear' }, 8));
    await night('erp');
    const refused = await night('erp');
    expect(refused.stderr).toContain('1 item could not be left out by --changed-only: 1 that were refused');
  });

  it('notices what an import without it sent in between', async () => {
    const cwd = folder({ 'feed.csv': feed('D'), 'by-hand.csv': 'sku,price\nD5,9.00\n' });
    await send(cwd, ['feed.csv', '--changed-only']);
    expect((await send(cwd, ['by-hand.csv'])).actions).toEqual(['updated']);
    const night = await send(cwd, ['feed.csv', '--changed-only']);
    expect(night).toMatchObject({ notSent: 129, posts: 2 });
    expect(night.actions[5]).toBe('updated');
    expect(await given.catalog.read(product, { key: 'D5' })).toMatchObject({ price: '5.00' });
  });

  it('a run that was killed leaves no wrong record of what was sent: a feed that is reverted is sent', async () => {
    const cwd = folder({ 'feed.csv': feed('E', {}, 2_000) });
    await send(cwd, ['feed.csv', '--changed-only']);
    const all = Object.fromEntries(Array.from({ length: 2_000 }, (_, i) => [i, '7.00']));
    writeFileSync(join(cwd, 'feed.csv'), feed('E', all, 2_000));
    const killed = start(cwd, ['products', 'feed.csv', '--changed-only', '--remote', given.server.url], envOf(cwd));
    const ended = outcome(killed);
    await expect.poll(async () => (await given.catalog.read(product, { key: 'E200' }))?.['price']).toBe('7.00');
    killed.kill('SIGKILL');
    await ended;
    writeFileSync(join(cwd, 'feed.csv'), feed('E', {}, 2_000));
    expect((await send(cwd, ['feed.csv', '--changed-only'])).code).toBe(0);
    for (const i of [0, 150, 200, 300, 1_999])
      expect(await given.catalog.read(product, { key: `E${i}` })).toMatchObject({ price: '5.00' });
  });

  it('a run that lost the remote is continued by --resume, and reports each item once', async () => {
    const cwd = folder({ 'feed.csv': feed('F') });
    let left = Number.POSITIVE_INFINITY;
    const cut = await oddRemote(({ path, body, headers }, answer) => {
      if (left-- <= 0) return answer.writeHead(400).end();
      const sent = ['authorization', 'content-type', 'idempotency-key'].map((name) => [name, String(headers[name])]);
      return fetch(`${given.server.url}${path}`, { method: 'POST', body, headers: Object.fromEntries(sent) }).then(
        async (response) => answer.writeHead(response.status).end(await response.text()),
      );
    });
    const args = ['feed.csv', '--changed-only', '--concurrency', '1'];
    await send(cwd, args, cut.url);
    writeFileSync(
      join(cwd, 'feed.csv'),
      feed('F', Object.fromEntries(Array.from({ length: 100 }, (_, i) => [i, '8.00']))),
    );
    left = 1;
    const lost = await send(cwd, args, cut.url);
    left = Number.POSITIVE_INFINITY;
    const resumed = await send(cwd, [...args, '--resume'], cut.url);
    await cut.stop();
    expect(lost).toMatchObject({ code: 6, posts: 1 });
    expect(count(lost.actions, 'updated')).toBe(40);
    expect(resumed).toMatchObject({ code: 0, notSent: 30, posts: 3 });
    expect(count(resumed.actions, 'updated')).toBe(100);
  });

  it('a remote that lost its records is noticed', async () => {
    const cwd = folder({ 'feed.csv': feed('G') });
    // Nobody else listens on it between the two servers.
    const address = { host: '127.0.0.1', port: await freePort() };
    const other = await givenServer({ address });
    const run = (url: string, key: string, ...more: string[]) =>
      typed(cwd, ['products', 'feed.csv', '--changed-only', '--remote', url, ...more], {
        env: { ...envOf(cwd), CATALOG_API_KEY: key },
      });
    await run(other.server.url, other.key);
    await other.stop();
    const empty = await givenServer({ address });
    try {
      writeFileSync(join(cwd, 'feed.csv'), feed('G', { 3: '6.00' }));
      const told = await run(empty.server.url, empty.key);
      expect(told).toMatchObject({ code: 0 });
      expect(told.stderr).toContain('The remote created items that it had acknowledged before, so it lost records.');
      await run(empty.server.url, empty.key);
      expect(await empty.catalog.read(product, { key: 'G129' })).toBeDefined();
    } finally {
      await empty.stop();
    }
  });

  it.each([
    [['feed.csv', '--full'], '--full belongs to --changed-only'],
    [['-', '--changed-only'], 'standard input has none'],
  ])('%j is a usage error', async (args, words) => {
    const told = await send(folder({ 'feed.csv': feed('H') }), args);
    expect(told.code).toBe(2);
    expect(told.stderr).toContain(words);
  });

  it('into a local catalog it is a usage error', async () => {
    const told = await typed(folder({ 'feed.csv': feed('I') }), [
      'products',
      'feed.csv',
      '--changed-only',
      '--db',
      'c.db',
    ]);
    expect(told.code).toBe(2);
    expect(told.stderr).toContain('--changed-only is for a remote');
  });
});
