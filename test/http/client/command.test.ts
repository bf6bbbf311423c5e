// The command line against a remote: real processes, a real served instance, and what is left when a run is ended.
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { product } from '../../../src/core/resources/product.js';
import { execFileSync, lineOf, linesOf } from '../../child.js';
import { outcome, start } from '../../cli/started.js';
import { demo, folder, type Typed, typed } from '../../cli/typed.js';
import { until } from '../../until.js';
import { type GivenServer, givenServer } from '../server/given-server.js';
import { answerJson, answerReport, oddRemote } from './odd-remote.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer();
});
afterAll(() => given.stop());

const rows = (count: number, prefix: string): string =>
  `sku,currency,name\n${Array.from({ length: count }, (_, i) => `${prefix}${i},EUR,Name ${prefix} ${i}x\n`).join('')}`;

/** Types a command for the served instance; its journals are in a folder of the test. */
function remotely(
  cwd: string,
  args: readonly string[],
  more: { env?: NodeJS.ProcessEnv; url?: string } = {},
): Promise<Typed> {
  return typed(cwd, [...args, '--remote', more.url ?? given.server.url], { env: envOf(cwd, more.env) });
}

function envOf(cwd: string, env: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  return { CATALOG_API_KEY: given.key, XDG_STATE_HOME: join(cwd, 'state'), ...env };
}

const journals = (cwd: string): string[] => {
  const state = join(cwd, 'state', 'catalog-import');
  return existsSync(state) ? readdirSync(state) : [];
};

interface NdjsonLine {
  readonly type: string;
  readonly action?: string;
  readonly [member: string]: unknown;
}

function linesIn(text: string): NdjsonLine[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as NdjsonLine)
    .filter(({ type }) => type !== 'run');
}

/** Lines without what differs between two catalogs after the same imports. */
function comparable(text: string): object[] {
  return linesIn(text).map(({ id, seconds, problems, ...line }) => ({
    ...line,
    // A remote does not send the lists that the nearest value is sought in.
    ...(Array.isArray(problems) && { problems: problems.map(({ nearest, ...problem }) => problem) }),
  }));
}

describe('what is not a catalog', () => {
  it('is named by its address, and a web page by its visible text', async () => {
    const page = await oddRemote((_, answer) =>
      answer
        .writeHead(501, { 'content-type': 'text/html' })
        .end('<!DOCTYPE html><head><style>p { top: 0 }</style></head>\n<p>Not here</p>'),
    );
    const cwd = folder({ 'p.csv': rows(1, 'A') });
    const { code, stderr } = await remotely(cwd, ['products', 'p.csv'], { url: page.url });
    await page.stop();
    expect(code).toBe(6);
    expect(stderr).toContain('The remote answered 501 (Not here), and another try would not change that.');
    expect(stderr).toContain(`${page.url} acknowledged no item. Run the same command again with --resume to go on.`);
  });
});

describe('a remote behaves as a local file does', () => {
  it('a folder: same lines, same counts, same exit code', async () => {
    const shop = await givenServer();
    try {
      const cwd = folder();
      for (const kind of readdirSync(demo).filter((name) => /^[a-z]/.test(name))) {
        const word = kind.replace(/\..*/, '').replace('shared-', '');
        expect(await typed(cwd, ['shop', 'load', word, join(demo, kind), '--db', shop.file])).toMatchObject({
          code: 0,
        });
      }
      const here = await typed(cwd, ['run', demo, '--db', 'local.db', '--output', 'ndjson']);
      const there = await remotely(cwd, ['run', demo, '--output', 'ndjson'], {
        url: shop.server.url,
        env: { CATALOG_API_KEY: shop.key },
      });
      expect(there.code).toBe(here.code);
      const shopWords = ['customers', 'orders', 'files', 'brands', 'warranties', 'pages', 'shared-characteristics'];
      const lines = (text: string): object[] =>
        comparable(text).filter((line) => !shopWords.some((word) => JSON.stringify(line).includes(`/${word}.`)));
      const summaries = (lines: object[]) => lines.filter((line) => 'action' in line);
      expect(summaries(lines(there.stdout))).toEqual(summaries(lines(here.stdout)));
      expect(there.stderr).toContain('Left out, since it lives in the shop of the remote');
    } finally {
      await shop.stop();
    }
  });

  it('names of categories are looked up there, once per name', async () => {
    const cwd = folder({
      'categories.csv': 'name,parent\nHome,\nPans,Home\n',
      'products.csv': `sku,currency,category\n${Array.from({ length: 90 }, (_, i) => `P${i},EUR,${i % 2 === 0 ? 'Pans' : 'Home > Pans'}\n`).join('')}`,
    });
    expect(await remotely(cwd, ['run', '.'])).toMatchObject({ code: 0 });
    // The log is written in pieces, and a little later.
    const reads = () => given.log.join('').match(/"method":"GET","path":"\/v1\/category/g)?.length;
    // Each name once; of the path also its last segment, and the parent of that.
    await expect.poll(reads).toBe(4);
    const pans = await given.catalog.read(product, { key: 'P1' });
    expect(pans?.['category']).toMatch(/^cate_/);
  });

  it('get: a record, or exit 9 with the sentence of the interface', async () => {
    const cwd = folder({ 'one.csv': rows(1, 'G') });
    await remotely(cwd, ['products', 'one.csv']);
    const found = await remotely(cwd, ['get', 'product', '--sku', 'G0']);
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(found.stdout)).toMatchObject({ object: 'product', sku: 'G0' });
    expect(await remotely(cwd, ['get', 'product', '--sku', 'none'])).toMatchObject({
      code: 9,
      stdout: '',
      stderr: 'error: Product not found.\n',
    });
  });

  it('a dry run writes nothing, and reports what it cannot know', async () => {
    const cwd = folder({ 'new.csv': rows(45, 'D') });
    const told = await remotely(cwd, ['products', 'new.csv', '--dry-run', '--output', 'json']);
    expect(told.code).toBe(0);
    expect(JSON.parse(told.stdout).response).toMatchObject({ dry_run: true, created: 45 });
    expect(told.stderr).toContain('checks each batch by itself');
    expect(await given.catalog.read(product, { key: 'D0' })).toBeUndefined();
    expect(journals(cwd)).toEqual([]);
  });

  it('--max-refused: the batch that goes beyond is not applied', async () => {
    const cwd = folder({ 'feed.csv': `${rows(45, 'M')}M-bad,none,x\nM-bad2,none,x\n` });
    const told = await remotely(cwd, ['products', 'feed.csv', '--max-refused', '1']);
    expect(told.code).toBe(8);
    expect(await given.catalog.read(product, { key: 'M39' })).toBeDefined();
    expect(await given.catalog.read(product, { key: 'M40' })).toBeUndefined();
  });
});

describe('the key', () => {
  it('comes from a file too, and none at all is exit 4', async () => {
    const cwd = folder({ 'one.csv': rows(1, 'K'), key: `${given.key}\n` });
    const env = { CATALOG_API_KEY: '' };
    expect(await remotely(cwd, ['products', 'one.csv', '--api-key-file', 'key'], { env })).toMatchObject({ code: 0 });
    const fromVariable = await remotely(cwd, ['products', 'one.csv'], { env: { ...env, CATALOG_API_KEY_FILE: 'key' } });
    expect(fromVariable.code).toBe(0);
    // PowerShell before 6 writes UTF-16 where a command is redirected.
    for (const wide of [
      Buffer.from(`\ufeff${given.key}\r\n`, 'utf16le'),
      Buffer.from(`\ufeff${given.key}`, 'utf16le').swap16(),
    ]) {
      writeFileSync(join(cwd, 'key'), wide);
      expect((await remotely(cwd, ['products', 'one.csv', '--api-key-file', 'key'], { env })).code).toBe(0);
    }
    const none = await remotely(cwd, ['products', 'one.csv'], { env });
    expect(none).toMatchObject({ code: 4, stdout: '' });
    expect(none.stderr).toContain('CATALOG_API_KEY');
  });

  it('one that is refused is exit 4, and is shown nowhere', async () => {
    const cwd = folder({ 'one.csv': rows(1, 'K') });
    const key = 'cik_aaaaaaaa_00000000000000000000000000000000000000';
    const told = await remotely(cwd, ['products', 'one.csv', '--report-file', 'r.json'], {
      env: { CATALOG_API_KEY: key },
    });
    expect(told.code).toBe(4);
    expect(told.stderr).toContain('The remote refused the API key: it answered 401 (This API key is not known)');
    for (const text of [told.stdout, told.stderr]) expect(text).not.toContain(key);
  });
});

describe('a run that is ended early', () => {
  /** An instance that takes `most` batches and is out of order afterwards, until it is mended. */
  async function breaking(most: number) {
    const state = { broken: true };
    const remote = await oddRemote((asked, answer) => {
      const taken = remote.asked.filter(({ nth }) => nth < asked.nth).length;
      if (state.broken && taken >= most) answerJson(answer, 503, {}, { 'retry-after': '60' });
      else answerReport(asked, answer);
    });
    return { remote, mend: () => (state.broken = false) };
  }

  it('after the last retry: exit 6 with the number of items saved; --resume sends only the rest and reports all of it', async () => {
    const cwd = folder({ 'feed.csv': rows(400, 'R') });
    const { remote, mend } = await breaking(4);
    const ended = await remotely(cwd, ['products', 'feed.csv', '--retry-max-wait', '1s'], { url: remote.url });
    expect(ended.code).toBe(6);
    expect(ended.stderr).toContain('asks to wait 60 s, which is more than 1 s (--retry-max-wait)');
    expect(ended.stderr).toContain('160 items were acknowledged by the remote and kept.');
    expect(ended.stderr).toContain('Run the same command again with --resume');
    expect(journals(cwd)).toHaveLength(1);
    mend();
    const before = remote.asked.length;
    const resumed = await remotely(cwd, ['products', 'feed.csv', '--resume', '--output', 'json'], { url: remote.url });
    expect(resumed).toMatchObject({ code: 0 });
    expect(resumed.stderr).toContain('160 items were acknowledged before and not sent again.');
    // The last request ends the run.
    expect(remote.asked.length - before).toBe(7);
    expect(JSON.parse(resumed.stdout).response).toMatchObject({ created: 400, total: 400 });
    expect(journals(cwd)).toEqual([]);
    await remote.stop();
  });

  it.each([[[]], [['--changed-only']]])(
    'one of a feed whose guards judge the whole file is resumed, %j',
    async (options) => {
      const [cwd, feed] = [folder(), `resumed${options.length}`];
      let left = Number.POSITIVE_INFINITY;
      const remote = await oddRemote(async ({ path, body, headers }, answer) => {
        if (!body.includes('"dry_run":true') && left-- <= 0) return answer.writeHead(400).end();
        const { host, connection, 'content-length': _, 'accept-encoding': __, ...sent } = headers;
        const own = sent as Readonly<Record<string, string>>;
        const response = await fetch(`${given.server.url}${path}`, { method: 'POST', body, headers: own });
        return answer.writeHead(response.status).end(await response.text());
      });
      const night = (text: string, ...more: string[]) => {
        writeFileSync(join(cwd, 'feed.csv'), text);
        const args = ['products', 'feed.csv', '--feed', feed, '--concurrency', '1', '--output', 'ndjson'];
        return remotely(cwd, [...args, ...options, ...more], { url: remote.url });
      };
      const changed = rows(200, feed).replaceAll('x\n', 'y\n');
      await night(rows(200, feed));
      left = 2;
      const cut = await night(changed);
      expect(cut.code).toBe(6);
      left = Number.POSITIVE_INFINITY;
      // Its guards may be others: they change nothing of what is sent.
      const resumed = await night(changed, '--resume', '--max-created', 'off');
      expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining('80 items were acknowledged before')]);
      const told = linesIn(resumed.stdout).filter(({ action }) => action !== undefined);
      expect(told.map(({ action }) => action)).toEqual(Array(200).fill('updated'));
      // What the feed lists is kept: the next night is held against all of it.
      const short = await night(rows(100, feed), '--resume');
      expect(short.code).toBe(8);
      expect(short.stderr).toContain('--max-missing: 100 are missing, 50 % of 200');
      expect(short.stderr).toMatch(/^ *catalog-import products feed\.csv (?!.*--resume).*--dry-run/m);
      await remote.stop();
    },
  );

  it('content and options of the file must be the same: otherwise it starts again', async () => {
    const cwd = folder({ 'feed.csv': rows(200, 'C') });
    const { remote, mend } = await breaking(2);
    await remotely(cwd, ['products', 'feed.csv', '--retry-max-wait', '1s'], { url: remote.url });
    mend();
    const before = remote.asked.length;
    const other = await remotely(cwd, ['products', 'feed.csv', '--set', 'status=draft', '--resume'], {
      url: remote.url,
    });
    expect(other.stderr).toContain('no earlier run to resume');
    expect(remote.asked.length - before).toBe(6);
    writeFileSync(join(cwd, 'feed.csv'), rows(201, 'C'));
    const changed = await remotely(cwd, ['products', 'feed.csv', '--resume'], { url: remote.url });
    expect(changed.stderr).toContain('no earlier run to resume');
    await remote.stop();
  });

  it('a journal whose reports are none, or not on what was sent, is sent again: nothing of it is shown', async () => {
    type Kept = { data: (Record<string, unknown> | null)[]; created: unknown };
    const plants: readonly ((report: Kept) => unknown)[] = [
      () => null,
      (report) => ({ ...report, data: undefined }),
      (report) => ({ ...report, data: { length: 40 } }),
      (report) => ({ ...report, data: [null, ...report.data.slice(1)] }),
      (report) => ({ ...report, data: report.data.slice(1) }),
      (report) => ({ ...report, created: 9_999 }),
      (report) => ({ ...report, data: [{ ...report.data[0], code: '\u001b[2J' }, ...report.data.slice(1)] }),
      (report) => ({ ...report, data: [{ ...report.data[0], diagnostics: [5] }, ...report.data.slice(1)] }),
    ];
    for (const [i, plant] of plants.entries()) {
      const cwd = folder({ 'feed.csv': rows(120, `P${i}-`) });
      const { remote, mend } = await breaking(2);
      await remotely(cwd, ['products', 'feed.csv', '--retry-max-wait', '1s'], { url: remote.url });
      const [name = ''] = journals(cwd);
      const path = join(cwd, 'state', 'catalog-import', name);
      const [run, first = '', ...rest] = readFileSync(path, 'utf8').split('\n');
      const kept = JSON.parse(first);
      writeFileSync(path, [run, JSON.stringify({ ...kept, report: plant(kept.report) }), ...rest].join('\n'));
      mend();
      const resumed = await remotely(cwd, ['products', 'feed.csv', '--resume', '--report', 'all'], { url: remote.url });
      expect([i, resumed.code, resumed.stdout.includes('\u001b[2J')]).toEqual([i, 0, false]);
      expect(resumed.stdout).toContain('120 items: 120 created');
      await remote.stop();
    }
  });

  it.skipIf(process.platform === 'win32')(
    'a key that is waited for from a pipe ends with the first SIGTERM',
    async () => {
      const cwd = folder({ 'feed.csv': rows(3, 'K') });
      execFileSync('mkfifo', [join(cwd, 'key')]);
      const args = ['products', 'feed.csv', '--remote', given.server.url, '--api-key-file', 'key', '--verbose'];
      const child = start(cwd, args, envOf(cwd));
      // A pipe can be opened for writing once somebody reads it.
      const { writer } = await until('the key to be waited for', () => {
        try {
          return { writer: openSync(join(cwd, 'key'), constants.O_WRONLY | constants.O_NONBLOCK) };
        } catch {
          return undefined;
        }
      });
      child.kill('SIGTERM');
      expect((await outcome(child)).signal).toBe('SIGTERM');
      closeSync(writer);
      const piped = start(cwd, args, envOf(cwd));
      writeFileSync(join(cwd, 'key'), given.key);
      expect((await outcome(piped)).code).toBe(0);
    },
  );

  it('killed at any time and resumed: every line is reported exactly once, as the first time', async () => {
    const cwd = folder({ 'feed.csv': rows(3_000, 'X') });
    const args = ['products', 'feed.csv', '--remote', given.server.url, '--output', 'ndjson'];
    for (const after of [200, 900, 1_800]) {
      const child = start(cwd, after === 200 ? args : [...args, '--resume'], envOf(cwd));
      await linesOf(child, /./, after + 1);
      child.kill('SIGKILL');
      expect((await outcome(child)).signal).toBe('SIGKILL');
    }
    const resumed = await remotely(cwd, ['products', 'feed.csv', '--output', 'ndjson', '--resume']);
    expect(resumed.code).toBe(0);
    const told = linesIn(resumed.stdout).filter(({ action }) => action !== undefined);
    expect(told).toHaveLength(3_000);
    // Also what was applied and never acknowledged: the remote gives the report of the first time.
    expect(new Set(told.map(({ action }) => action))).toEqual(new Set(['created']));
  });

  it('Ctrl-C while the remote is waited for ends it at once, with how to continue', async () => {
    const cwd = folder({ 'feed.csv': rows(120, 'I') });
    const { remote } = await breaking(1);
    const child = start(cwd, ['products', 'feed.csv', '--remote', remote.url], envOf(cwd));
    await lineOf(child, /waiting 60 s/, 'stderr');
    child.kill('SIGINT');
    const told = await outcome(child);
    expect(told.code).toBe(130);
    expect(told.stderr).toContain('waiting 60 s, since the remote answered 503');
    expect(told.stderr).toContain(
      '40 items were acknowledged by the remote and kept. Run the same command again with --resume',
    );
    await remote.stop();
  });

  it('--resume is for files and remotes: elsewhere it is a usage error', async () => {
    const cwd = folder({ 'feed.csv': rows(1, 'Z') });
    expect(await typed(cwd, ['products', 'feed.csv', '--resume'])).toMatchObject({ code: 2 });
    expect(await remotely(cwd, ['products', '-', '--resume'])).toMatchObject({ code: 2 });
    expect(await remotely(cwd, ['products', 'feed.csv', '--resume', '--dry-run'])).toMatchObject({ code: 2 });
  });

  it('an import continues without a journal where none can be written', async () => {
    const cwd = folder({ 'feed.csv': rows(3, 'J'), state: 'a file, where a folder is needed' });
    expect(await remotely(cwd, ['products', 'feed.csv'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, 'state'), 'utf8')).toBe('a file, where a folder is needed');
  });
});
