// Sources by address on the command line: a feed night after night, its guards, what is recorded, and what no answer of a
// server does to the catalog.
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { netrcEntry } from '../../../src/cli/sources/source-credentials.js';
import { cutAt, givenFeedServer as given } from '../../http/source/feed-server.js';
import { allowed } from '../../tier.js';
import { until } from '../../until.js';
import { outcome, start } from '../started.js';
import { folder, products, typed } from '../typed.js';

const csv = (rows: number) => Buffer.from(products(rows));
const text = { 'content-type': 'text/csv' };

interface Warned {
  readonly code: string;
  readonly params: { readonly run?: number; readonly undone?: boolean };
}

/** A folder to type in, whose user keeps nothing elsewhere. */
function place(files: Readonly<Record<string, string>> = {}) {
  const cwd = folder(files);
  const env = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'catalog-import-state-')), HOME: cwd, NETRC: '' };
  return { cwd, env, type: (...args: string[]) => typed(cwd, args, { env }) };
}

describe('a feed by its address', () => {
  it('that did not change is a run that lists the same, and counts for missing', async () => {
    let etag = '"1"';
    let rows = 20;
    const server = await given(({ headers }, answer) => {
      if (headers['if-none-match'] === etag) answer.writeHead(304, { etag }).end();
      else answer.writeHead(200, { ...text, etag }).end(csv(rows));
    });
    const { cwd, type } = place();
    const night = (...more: string[]) =>
      type('products', `${server.url}/feed.csv?token=secret`, '--feed', 'erp', '--output', 'json', ...more);
    expect((await night()).code).toBe(0);
    const second = await night();
    expect(second.code, second.stderr).toBe(0);
    const { response } = JSON.parse(second.stdout);
    expect(response).toMatchObject({ unchanged: 20, total: 20 });
    expect(response.warnings).toMatchObject([{ code: 'source_not_modified', params: { feed: 'erp', run: 1 } }]);
    [etag, rows] = ['"2"', 19];
    expect((await night()).code).toBe(0);
    // The night without anything new is the second in which it is missing.
    expect((await night()).code).toBe(0);
    const missing = JSON.parse((await type('missing', '--feed', 'erp', '--output', 'json')).stdout);
    expect(missing).toMatchObject([{ key: 'S-19', missing_runs: 2 }]);
    expect(server.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"1"', '"1"', '"2"']);
    // The values of its query are nowhere.
    const kept = await type('runs', 'show', '1', '--output', 'json');
    expect(kept.stdout).toContain(`${server.url}/feed.csv?token=…`);
    expect(second.stdout + second.stderr + kept.stdout).not.toContain('secret');
    expect(readdirSync(cwd)).toEqual(['catalog.db']);
  });

  it('a run that was stopped keeps nothing: the next one fetches all of it', async () => {
    let rows = 20;
    const server = await given((_, answer) => answer.writeHead(200, { ...text, etag: `"${rows}"` }).end(csv(rows)));
    const { type } = place();
    const night = () => type('products', `${server.url}/feed.csv`, '--feed', 'erp');
    expect((await night()).code).toBe(0);
    rows = 5;
    expect((await night()).code).toBe(8);
    expect((await night()).code).toBe(8);
    expect(server.asked.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"20"', '"20"']);
  });

  it('that did not change since a run that was undone is imported again, with a warning', async () => {
    let etag = '"1"';
    const server = await given(({ headers }, answer) => {
      if (headers['if-none-match'] === etag) answer.writeHead(304, { etag }).end();
      else answer.writeHead(200, { ...text, etag }).end(`sku,currency,price\nA,EUR,${etag === '"1"' ? 1 : 2}\n`);
    });
    const { type } = place();
    const night = async () => {
      const { stdout } = await type(
        'products',
        `${server.url}/feed.csv`,
        '--feed',
        'erp',
        '--max-changed',
        'off',
        '--output',
        'json',
      );
      const { updated, warnings } = JSON.parse(stdout).response;
      return [
        updated,
        warnings.flatMap(({ code, params }: Warned) =>
          code === 'first_run' ? [] : [[code, params.run, params.undone]],
        ),
      ];
    };
    await night();
    etag = '"2"';
    expect(await night()).toEqual([1, []]);
    expect((await type('undo', '2')).code).toBe(0);
    const told = ['source_not_modified', 2, undefined];
    expect(await night()).toEqual([1, [told, ['file_repeated', 2, true]]]);
    expect(await night()).toEqual([0, [told]]);
  });

  it('--max-age stops one that is no longer updated, also where nothing is newer, and one that does not say', async () => {
    const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toUTCString();
    let modified: string | undefined = hours(1);
    const server = await given(({ headers }, answer) => {
      const status = modified !== undefined && headers['if-modified-since'] === modified ? 304 : 200;
      answer.writeHead(status, { ...text, ...(modified && { 'last-modified': modified }) });
      answer.end(status === 200 ? csv(3) : undefined);
    });
    const { type } = place();
    const night = () => type('products', `${server.url}/feed.csv`, '--feed', 'erp', '--max-age', '26h');
    expect((await night()).code).toBe(0);
    expect((await night()).code).toBe(0);
    modified = hours(72);
    const old = await night();
    expect(old).toMatchObject({ code: 8, stderr: expect.stringMatching(/--max-age: .*, 72 h ago \(limit 26 h\)/) });
    modified = undefined;
    expect(await night()).toMatchObject({ code: 8, stderr: expect.stringContaining('does not say when') });
    expect((await type('runs', '--output', 'json')).stdout).toContain('"blocked"');
    modified = hours(40);
    const plan = (...more: string[]) =>
      type('plan', 'products', `${server.url}/feed.csv`, '--out', 'p.plan', '--max-age', '26h', ...more);
    for (const more of [[], ['--feed', 'erp'], ['--feed', 'other']])
      expect(await plan(...more)).toMatchObject({ code: 8, stderr: expect.stringMatching(/--max-age: .*, 40 h ago/) });
    expect((await plan('--max-age', 'off')).code).toBe(0);
    modified = hours(1);
    expect((await plan()).code).toBe(0);
    const passed = await type('products', `${server.url}/feed.csv`, '--max-age', '26h', '--output', 'json');
    expect(JSON.parse(passed.stdout).response.guards).toMatchObject([
      { guard: 'age', option: '--max-age', against: 'contract', passed: true, limit: 26 * 3600 },
    ]);
  });
});

describe('a file that did not change', () => {
  it('ends with 0 although its rows are refused again, until more of them are', async () => {
    const server = await given(({ headers }, answer) => {
      if (headers['if-none-match'] === '"1"') answer.writeHead(304, { etag: '"1"' }).end();
      else
        answer.writeHead(200, { ...text, etag: '"1"' }).end('sku,currency,price\nA,EUR,1.00\nB,EUR,dear\nC,EUR,3.00\n');
    });
    const { type } = place({ 'local.csv': 'sku,currency,price\nD,EUR,dear\n' });
    const address = `${server.url}/feed.csv`;
    const night = (...more: string[]) =>
      type('products', address, '--feed', 'erp', '--max-refused', 'off', '--output', 'ndjson', ...more);
    expect((await night()).code).toBe(3);
    const same = await night();
    expect(same.code, same.stderr).toBe(0);
    expect(JSON.parse(same.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      ...{ refused: 1, unchanged: 2, exit: 0 },
      warnings: [{ code: 'source_not_modified' }],
    });
    expect((await night('--fail-on', 'source_not_modified')).code).toBe(3);
    // What is refused for another reason, or in another file, is new.
    expect((await night('--set', 'currency=NONE')).code).toBe(3);
    expect((await night('local.csv')).code).toBe(3);
    expect((await night()).code).toBe(0);
  });
});

describe('what a file is', () => {
  it.each([
    ['by its path', '/a/feed.csv', {}, csv(3)],
    ['by its type', '/export?id=1', { 'content-type': 'text/csv; charset=utf-8' }, csv(3)],
    ['by its name for the browser', '/x', { 'content-disposition': 'attachment; filename="../../a.csv"' }, csv(3)],
    ['compressed', '/feed.csv.gz', { 'content-type': 'application/gzip' }, gzipSync(csv(3))],
    ['compressed on the way', '/feed.csv', { 'content-encoding': 'gzip' }, gzipSync(csv(3))],
    ['both', '/feed.csv.gz', { 'content-encoding': 'gzip' }, gzipSync(gzipSync(csv(3)))],
  ])('%s', async (_, path, headers, content) => {
    const server = await given((_, answer) => answer.writeHead(200, headers).end(content));
    const { cwd, type } = place();
    const { code, stderr } = await type('products', server.url + path);
    expect(code, stderr).toBe(0);
    expect((await type('get', 'product', '--sku', 'S-2')).code).toBe(0);
    expect(existsSync(join(cwd, '../../a.csv'))).toBe(false);
  });

  it('in the encoding that the server states, unless the file says another', async () => {
    const rows = 'sku,name,currency\nA,Müller,EUR\n';
    const latin = { 'content-type': 'text/csv; charset=iso-8859-1' };
    for (const body of [Buffer.from(rows, 'latin1'), Buffer.from(`\ufeff${rows}`)]) {
      const server = await given((_, answer) => answer.writeHead(200, latin).end(body));
      const { type } = place();
      expect((await type('products', `${server.url}/feed.csv`)).code).toBe(0);
      expect((await type('get', 'product', '--sku', 'A')).stdout).toContain('Müller');
      expect(JSON.parse((await type('inspect', `${server.url}/feed.csv`, '--output', 'json')).stdout).records).toBe(1);
    }
  });

  it('refused records come back in an encoding that is known without the server', async () => {
    const latin = { 'content-type': 'text/csv; charset=iso-8859-1' };
    const rows = Buffer.from('sku,name,currency,price\nA,Müller,EUR,1.2.3\n', 'latin1');
    const server = await given((_, answer) => answer.writeHead(200, latin).end(rows));
    const { cwd, type } = place();
    const { code } = await type('products', `${server.url}/feed.csv`, '--refused-file', 'back.csv');
    expect(code).toBe(3);
    const back = join(cwd, 'back.csv');
    writeFileSync(back, readFileSync(back, 'latin1').replace('1.2.3', '1.2'), 'latin1');
    expect((await type('products', 'back.csv')).code).toBe(0);
    expect((await type('get', 'product', '--sku', 'A')).stdout).toContain('Müller');
  });

  it('inspect and plan take one, run does not, and neither does a table of a mapping', async () => {
    const server = await given((_, answer) => answer.writeHead(200, text).end(csv(3)));
    const map = `tables: {t: {file: "${server.url}/t.csv", key: sku, columns: {name: name}}}\nfields: {sku: sku, currency: {value: EUR}, name: {lookup: {table: t, key: sku, column: name}}}\n`;
    const { type } = place({ 'map.yaml': map });
    expect((await type('inspect', `${server.url}/feed.csv`)).stdout).toContain('sku');
    expect((await type('plan', 'products', `${server.url}/feed.csv`, '--out', 'a.plan')).code).toBe(0);
    expect(await type('apply', 'a.plan')).toMatchObject({ code: 0 });
    expect(await type('run', `${server.url}/feed.csv`)).toMatchObject({ code: 2 });
    const before = server.asked.length;
    expect((await type('products', `${server.url}/feed.csv`, '--map', 'map.yaml')).code).not.toBe(0);
    expect(server.asked.slice(before).map(({ path }) => path)).not.toContain('/t.csv');
  });
});

describe('credentials', () => {
  it.each([
    ['user:pass', 'Basic dXNlcjpwYXNz'],
    ['t0k3n', 'Bearer t0k3n'],
    ['Bearer t0k3n', 'Bearer t0k3n'],
  ])('from a variable: %s', async (value, header) => {
    const server = await given((_, answer) => answer.writeHead(200, text).end(csv(1)));
    const { cwd, env } = place();
    const args = ['products', `${server.url}/feed.csv`, '--source-auth-env', 'FEED_AUTH'];
    const { code, stdout, stderr } = await typed(cwd, args, { env: { ...env, FEED_AUTH: value } });
    expect(code, stderr).toBe(0);
    expect(server.asked[0]?.headers.authorization).toBe(header);
    expect(stdout + stderr).not.toMatch(/pass|t0k3n/);
    expect((await typed(cwd, args, { env })).code).toBe(2);
  });

  it('from ~/.netrc, which nobody else may read', async () => {
    const server = await given((_, answer) => answer.writeHead(200, text).end(csv(1)));
    const { cwd, type } = place();
    writeFileSync(join(cwd, '.netrc'), 'machine 127.0.0.1\n  login user password pass\n', { mode: 0o600 });
    expect((await type('products', `${server.url}/feed.csv`)).code).toBe(0);
    expect(server.asked[0]?.headers.authorization).toBe('Basic dXNlcjpwYXNz');
    writeFileSync(join(cwd, 'open'), 'machine 127.0.0.1 login user password pass\n', { mode: 0o644 });
    const open = await typed(cwd, ['products', `${server.url}/feed.csv`], { env: { NETRC: join(cwd, 'open') } });
    expect(open).toMatchObject({ code: 2, stderr: expect.stringContaining('chmod 600') });
  });

  it('of a machine by its name, never those for every one', () => {
    const text =
      'macdef init\nmachine trap\n\n# machine c\nmachine a login x\nmachine b login u password p default login d';
    expect(netrcEntry(text, 'b')).toEqual({ login: 'u', password: 'p' });
    for (const other of ['trap', 'c', 'd']) expect(netrcEntry(text, other)).toBeUndefined();
  });

  it('in an address, or for addresses of several hosts: exit 2, before anything is asked', async () => {
    const server = await given((_, answer) => answer.writeHead(200, text).end(csv(1)));
    const { type } = place();
    const inside = await type('products', server.url.replace('//', '//user:s3cret@'));
    expect(inside).toMatchObject({ code: 2, stderr: expect.stringContaining('--source-auth-env') });
    expect(inside.stderr).not.toContain('s3cret');
    const two = ['products', `${server.url}/a.csv`, `${server.url.replace('127.0.0.1', 'localhost')}/b.csv`];
    expect((await type(...two, '--source-auth-env', 'HOME')).code).toBe(2);
    expect((await type('products', 'http://supplier.example/a.csv')).code).toBe(2);
    expect((await type('products', 'feed.csv', '--max-age', '1h')).code).toBe(2);
    expect(server.asked).toEqual([]);
  });
});

describe('nothing is imported', () => {
  it.each([
    ['cut off', 5, (answer: ServerResponse) => cutAt(answer.writeHead(200, { 'content-length': 9_999 }), csv(50), 900)],
    ['damaged', 5, (answer: ServerResponse) => answer.writeHead(200, { digest: 'sha-256=eA==' }).end(csv(50))],
    [
      'broken gzip',
      5,
      (answer: ServerResponse) =>
        answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(csv(50)).subarray(0, 90)),
    ],
    ['a file of gzip that is cut', 5, (answer: ServerResponse) => answer.end(gzipSync(csv(200)).subarray(0, -300))],
    [
      'a file of gzip with a wrong sum',
      5,
      (answer: ServerResponse) => {
        const packed = gzipSync(csv(200));
        packed.writeUInt32LE(packed.readUInt32LE(packed.length - 8) ^ 1, packed.length - 8);
        answer.end(packed);
      },
    ],
    ['another coding', 5, (answer: ServerResponse) => answer.writeHead(200, { 'content-encoding': 'br' }).end('x')],
    ['too large', 5, (answer: ServerResponse) => answer.writeHead(200).end(Buffer.alloc(3_000))],
    [
      'too large unpacked',
      5,
      (answer: ServerResponse) =>
        answer.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(1 << 20))),
    ],
    ['not there', 5, (answer: ServerResponse) => answer.writeHead(404).end()],
    ['not allowed', 4, (answer: ServerResponse) => answer.writeHead(401).end()],
  ])('of a source that is %s', async (_, code, behave) => {
    const server = await given((_, answer) => behave(answer));
    const { cwd, type } = place();
    writeFileSync(join(cwd, 'before.csv'), csv(2));
    expect((await type('products', 'before.csv')).code).toBe(0);
    const args = [
      'products',
      `${server.url}/feed.csv?key=s3cret`,
      '--source-max-size',
      '2KiB',
      '--status-file',
      's.prom',
    ];
    const failed = await type(...args);
    expect(failed.code, failed.stderr).toBe(code);
    expect(failed.stderr).toContain('nothing was imported');
    expect(failed.stdout + failed.stderr).not.toContain('s3cret');
    expect((await type('get', 'product', '--sku', 'S-3')).code).toBe(9);
    const [, run] = JSON.parse((await type('runs', '--output', 'json')).stdout);
    expect(run).toMatchObject({ state: 'failed', exit: code, total: 0, file: `${server.url}/feed.csv?key=…` });
    expect(failed.stderr).toContain(run.error);
    expect((await type('runs', 'show', '2')).stdout).toMatch(/^error +\S.*nothing was imported/m);
    expect(existsSync(join(cwd, 's.prom'))).toBe(true);
  });

  it('at a signal, within a second, and no temporary file is left', async () => {
    const server = await given((_, answer) => answer.writeHead(200, text).write('sku'));
    const { cwd, env } = place();
    const TMPDIR = mkdtempSync(join(tmpdir(), 'catalog-import-own-'));
    for (const command of [['products'], ['inspect']]) {
      const before = server.asked.length;
      const child = start(cwd, [...command, `${server.url}/feed.csv`], { ...env, TMPDIR });
      await until('its request', () => server.asked.length > before);
      await until('its file', () => readdirSync(TMPDIR).some((name) => readdirSync(join(TMPDIR, name)).length > 0));
      const sent = performance.now();
      child.kill('SIGTERM');
      expect(await outcome(child)).toMatchObject({ code: 143, stdout: '' });
      expect(performance.now() - sent).toBeLessThan(allowed(1000));
      expect(readdirSync(TMPDIR)).toEqual([]);
    }
  });
});
