// What the client does with remotes that answer otherwise than a served instance at its best.
import { afterEach, describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/core/catalog.js';
import { CatalogError } from '../../../src/core/errors.js';
import type { Report } from '../../../src/core/import-report.js';
import { product } from '../../../src/core/resources/product.js';
import type { RemoteOptions } from '../../../src/http/client/remote-catalog.js';
import { importAll, linesOf } from '../../contract.js';
import { batchOf } from '../../entries.js';
import { freePort } from '../../free-port.js';
import { client } from './given-remote.js';
import { answerJson, answerReport, type Behaviour, type OddRemote, oddRemote, reportOn } from './odd-remote.js';

const key = 'cik_abcdefgh_0123456789abcdefghijklmnopqrstuvXYZ012';
const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function against(
  behave: Behaviour,
  options: Partial<RemoteOptions> = {},
): Promise<{ readonly remote: OddRemote; readonly catalog: Catalog }> {
  const remote = await oddRemote(behave);
  const catalog = await client(remote.url, key, options);
  open.push(
    () => catalog.close(),
    () => remote.stop(),
  );
  return { remote, catalog };
}

const items = (count: number, from = 0): Record<string, unknown>[] =>
  Array.from({ length: count }, (_, i) => ({ sku: `S-${from + i}`, name: `N${from + i}x`, currency: 'EUR' }));
const batches = (count: number): Record<string, unknown>[][] =>
  Array.from({ length: count }, (_, i) => items(2, i * 2));

/** The failure of an import, and its reports before. */
async function failureOf(
  catalog: Catalog,
  sent: readonly (readonly unknown[])[],
): Promise<{ error: CatalogError; told: Report[] }> {
  const told: Report[] = [];
  try {
    for await (const report of catalog.importBatches(product, sent.map(batchOf))) told.push(report);
  } catch (error) {
    expect(error).toBeInstanceOf(CatalogError);
    expect((error as Error).message).not.toContain(key);
    return { error: error as CatalogError, told };
  }
  throw new Error('the import did not fail');
}

describe('requests', () => {
  it('a POST carries the key, JSON and an Idempotency-Key of visible ASCII', async () => {
    const { remote, catalog } = await against(answerReport);
    await importAll(catalog, 'product', batches(1));
    expect(remote.asked[0]).toMatchObject({
      method: 'POST',
      path: '/v1/product/import',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    });
    expect(remote.asked[0]?.headers['idempotency-key']).toMatch(/^[\x21-\x7e]{20,255}$/);
  });

  it('a path before /v1 is kept', async () => {
    const remote = await oddRemote(answerReport);
    const catalog = await client(`${remote.url}/shop/`, key);
    open.push(
      () => catalog.close(),
      () => remote.stop(),
    );
    await importAll(catalog, 'product', batches(1));
    expect(remote.asked[0]?.path).toBe('/shop/v1/product/import');
  });

  it('items that must be refused are refused offline, and only the others are sent', async () => {
    const { remote, catalog } = await against(answerReport);
    const reports = await importAll(catalog, 'product', [
      [{ sku: 'A', price: 'dear' }, ...items(2), 'no item', { currency: 'EUR' }],
      [{ sku: 'B', price: 'dear' }],
    ]);
    expect(remote.asked.map(({ items: sent }) => sent.map(({ sku }) => sku))).toEqual([['S-0', 'S-1']]);
    expect(linesOf(reports).map(({ index, code, action }) => [index, code ?? action])).toEqual([
      [0, 'field_format'],
      [1, 'created'],
      [2, 'created'],
      [3, 'item_not_object'],
      [4, 'field_required'],
      [0, 'field_format'],
    ]);
    expect(reports.map(({ total, refused, created }) => [total, refused, created])).toEqual([
      [5, 3, 2],
      [1, 1, 0],
    ]);
  });

  it('bodies are cut at 4 MiB, and the batch still has one report', async () => {
    const { remote, catalog } = await against(answerReport);
    const large = items(5).map((item) => ({ ...item, description: 'ä'.repeat(400_000), note: 'ä'.repeat(400_000) }));
    const reports = await importAll(catalog, 'product', [large]);
    expect(remote.asked.map(({ items: sent }) => sent.length)).toEqual([2, 2, 1]);
    for (const { body } of remote.asked) expect(Buffer.byteLength(body)).toBeLessThan(4 * 1024 * 1024 + 100);
    expect(reports.map(({ created }) => created)).toEqual([5]);
    expect(reports[0]?.data.map(({ index, external_id }) => `${index} ${external_id}`)).toEqual([
      '0 S-0',
      '1 S-1',
      '2 S-2',
      '3 S-3',
      '4 S-4',
    ]);
  });

  it('up to --concurrency requests are under way at once, and reports come in the order of the file', async () => {
    const first: (() => void)[] = [];
    const { remote, catalog } = await against(
      (asked, answer) => {
        const reply = () => answerReport(asked, answer);
        if (asked.nth >= 3) return void setTimeout(reply, asked.nth % 4 === 0 ? 60 : 5);
        // The first three are answered once all of them have come, the last one first.
        if (first.unshift(reply) === 3) for (const each of first) each();
      },
      { concurrency: 3 },
    );
    const reports = await importAll(catalog, 'product', batches(12));
    expect(remote.most()).toBe(3);
    expect(linesOf(reports).map(({ external_id }) => external_id)).toEqual(items(24).map(({ sku }) => sku));
  });

  it('batches that share a key are never under way together', async () => {
    let busy = 0;
    let clashes = 0;
    const { catalog } = await against((asked, answer) => {
      const shares = asked.body.includes('"Shared"');
      if (shares && ++busy > 1) clashes++;
      setTimeout(() => {
        if (shares) busy--;
        answerReport(asked, answer);
      }, 10);
    });
    const shared = batches(10).map((batch, i) =>
      i % 2 === 0 ? [...batch, { sku: 'Shared', currency: 'EUR' }] : batch,
    );
    await importAll(catalog, 'product', shared);
    expect(clashes).toBe(0);
  });

  it('categories are sent one batch at a time: a chain of parents may lead through any of them', async () => {
    const { remote, catalog } = await against((asked, answer) => void setTimeout(() => answerReport(asked, answer), 5));
    await importAll(catalog, 'category', [[{ name: 'a' }], [{ name: 'b' }], [{ name: 'c' }]]);
    expect(remote.most()).toBe(1);
    expect(remote.asked.flatMap(({ items: sent }) => sent.map(({ name }) => name))).toEqual(['a', 'b', 'c']);
  });

  it('where accept is given, a batch is sent as a dry run first, and only what is accepted is sent to be kept', async () => {
    const { remote, catalog } = await against(answerReport, { concurrency: 2 });
    let asked = 0;
    const reports: Report[] = [];
    for await (const report of catalog.importBatches(product, batches(6).map(batchOf), { accept: () => ++asked < 4 }))
      reports.push(report);
    expect(reports).toHaveLength(3);
    const real = remote.asked.filter(({ body }) => !body.includes('"dry_run":true'));
    expect(real.flatMap(({ items: sent }) => sent.map(({ sku }) => sku)).sort()).toEqual(
      items(6).map(({ sku }) => sku),
    );
    expect(asked).toBe(4);
  });
});

describe('retries', () => {
  it.each([408, 425, 429, 500, 502, 503, 504])('%s is tried again with the same body and key', async (status) => {
    const { remote, catalog } = await against((asked, answer) =>
      asked.nth < 3 ? answerJson(answer, status, { message: 'later' }) : answerReport(asked, answer),
    );
    expect(linesOf(await importAll(catalog, 'product', batches(1)))).toHaveLength(2);
    expect(remote.asked).toHaveLength(4);
    expect(new Set(remote.asked.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(remote.asked.map(({ body }) => body)).size).toBe(1);
  });

  it('409 is tried again where the key is in use, and only there', async () => {
    const inUse = { code: 409, title: 'Conflict', response: { error: 'idempotency_key_in_use', message: 'Busy.' } };
    const { catalog } = await against((asked, answer) =>
      asked.nth === 0 ? answerJson(answer, 409, inUse) : answerReport(asked, answer),
    );
    expect(await importAll(catalog, 'product', batches(1))).toHaveLength(1);
    const other = await against((_, answer) => answerJson(answer, 409, { message: 'no' }));
    expect((await failureOf(other.catalog, batches(1))).error.code).toBe('remote_failed');
  });

  it('an answer that is cut off, an answer that never comes and a dropped connection are tried again', async () => {
    const { remote, catalog } = await against(
      (asked, answer) => {
        if (asked.nth === 0) answer.destroy();
        else if (asked.nth === 1)
          answer.writeHead(200, { 'content-length': 5000 }).write('{"code":200', () => answer.destroy());
        else if (asked.nth === 2) answer.writeHead(200).end('{"code":200,"title":"OK","resp');
        else if (asked.nth > 3) answerReport(asked, answer);
      },
      { timeout: 300 },
    );
    expect(await importAll(catalog, 'product', batches(1))).toHaveLength(1);
    // More where the machine is so slow that another answer comes after the time-out.
    expect(remote.asked.length).toBeGreaterThanOrEqual(5);
  });

  it('no server at the address: gives up after eight attempts, with the reason', async () => {
    const catalog = await client(`http://127.0.0.1:${await freePort()}`, key);
    const { error } = await failureOf(catalog, batches(1));
    await catalog.close();
    expect(error).toMatchObject({ code: 'remote_failed' });
    expect(error.message).toMatch(/^The remote refused the connection; gave up after 8 tries\./);
  });

  it('waits double from a base to a maximum, half of it random', async () => {
    const { remote, catalog } = await against((_, answer) => answerJson(answer, 503, {}), {
      retryPolicy: { base: 40, longest: 160 },
    });
    await failureOf(catalog, batches(1));
    const waits = remote.asked.slice(1).map(({ at }, i) => at - (remote.asked[i]?.at ?? 0));
    for (const [i, whole] of [40, 80, 160, 160, 160, 160, 160].entries()) {
      expect(waits[i]).toBeGreaterThanOrEqual(whole / 2 - 2);
    }
    expect(waits).toHaveLength(7);
  });

  it('gives up after eight attempts, with the last response and the number of items saved', async () => {
    const { remote, catalog } = await against((asked, answer) =>
      asked.body.includes('"S-4"') ? answerJson(answer, 503, 'closed for today') : answerReport(asked, answer),
    );
    const { error, told } = await failureOf(catalog, batches(6));
    expect(error.code).toBe('remote_failed');
    expect(error.message).toMatch(/answered 503 \("closed for today"\); gave up after 8 tries/);
    expect(told.length).toBe(2);
    expect(remote.asked.filter(({ body }) => body.includes('"S-4"'))).toHaveLength(8);
    expect(error.message).toMatch(/\n\d+ items were acknowledged by the remote and kept\. Run the same command again/);
  });

  it.each(['seconds', 'date'])('Retry-After as %s is never undercut, by no request', async (form) => {
    let refused: number | undefined;
    const atOnce: (() => void)[] = [];
    const { remote, catalog } = await against((asked, answer) => {
      if (asked.nth >= 3) return answerReport(asked, answer);
      atOnce.push(() => {
        if (refused !== undefined) return answerReport(asked, answer);
        refused = performance.now();
        const until = new Date(Date.now() + 2_000).toUTCString();
        answerJson(answer, 429, {}, { 'retry-after': form === 'date' ? until : '1' });
      });
      // One of three requests is refused once all of them have come: what comes later was sent in knowledge of that.
      if (atOnce.length === 3) for (const each of atOnce) each();
    });
    await importAll(catalog, 'product', batches(3));
    const again = remote.asked.slice(3);
    // A date has no fractions of a second.
    for (const { at } of again) expect(at - (refused ?? 0)).toBeGreaterThanOrEqual(999);
    expect(again.length).toBeGreaterThanOrEqual(1);
  });

  it('a Retry-After longer than --retry-max-wait fails at once, without waiting', async () => {
    const { remote, catalog } = await against((_, answer) => answerJson(answer, 429, {}, { 'retry-after': '7200' }), {
      retryPolicy: { maxWait: 60_000 },
    });
    const { error } = await failureOf(catalog, batches(1));
    expect(error.message).toContain('it asks to wait 7200 s, which is more than 60 s (--retry-max-wait)');
    expect(remote.asked).toHaveLength(1);
  });

  it('--retry-max-time ends the trying before its tries are used up', async () => {
    const { remote, catalog } = await against((_, answer) => answerJson(answer, 503, {}), {
      retryPolicy: { base: 40, longest: 40, maxTime: 100 },
    });
    expect((await failureOf(catalog, batches(1))).error.message).toContain('(--retry-max-time)');
    expect(remote.asked.length).toBeLessThan(7);
  });

  it('sends fewer at once after 429, and more again when all is well', async () => {
    let open = 0;
    const widths: number[] = [];
    const first: (() => void)[] = [];
    const last: (() => void)[] = [];
    let isSlowed = false;
    const onWait = () => {
      isSlowed = true;
      for (const each of first) each();
    };
    const { catalog } = await against(
      (asked, answer) => {
        open++;
        const accept = () => {
          open--;
          answerReport(asked, answer);
        };
        const number = Number(/"S-(\d+)"/.exec(asked.body)?.[1]);
        if (isSlowed) widths.push(open);
        if (!isSlowed && number >= 16) {
          // Four are under way when the last of them is refused, and the others are answered once that was seen.
          if (first.length < 3) return first.push(accept);
          open--;
          answerJson(answer, 429, {});
        } else if (number < 100) {
          setTimeout(accept, 10);
        } else if (last.length === 4) {
          accept();
        } else if (last.push(accept) === 4) {
          // Of the last batches none is answered before four are under way.
          for (const each of last) each();
        }
      },
      { onWait },
    );
    await importAll(catalog, 'product', batches(60));
    expect(Math.max(...widths.slice(0, 4))).toBeLessThanOrEqual(2);
    expect(last).toHaveLength(4);
  });

  it('lines sent again to a remote that ignores Idempotency-Key are marked; others are not', async () => {
    const behave =
      (headers: Readonly<Record<string, string>>): Behaviour =>
      (asked, answer) =>
        asked.nth === 0 ? void answer.destroy() : answerReport(asked, answer, headers);
    const ignoring = await against(behave({}));
    const [first, second] = await importAll(ignoring.catalog, 'product', [items(2), items(1, 0)]);
    expect(first?.data.map(({ notice }) => notice.map(({ code }) => code))).toEqual([['sent_again'], ['sent_again']]);
    expect(second?.data[0]?.notice).toEqual([]);
    const keeping = await against(behave({ 'idempotency-key': 'x' }));
    expect(linesOf(await importAll(keeping.catalog, 'product', [items(2)])).flatMap(({ notice }) => notice)).toEqual(
      [],
    );
  });
});

describe('413', () => {
  const few: Behaviour = (asked, answer) =>
    asked.items.length > 3 ? answerJson(answer, 413, {}) : answerReport(asked, answer);

  it('splits the batch in halves until it fits, and joins the reports', async () => {
    const { remote, catalog } = await against(few);
    const reports = await importAll(catalog, 'product', [items(10), items(2, 10)]);
    expect(reports.map(({ created, total }) => [created, total])).toEqual([
      [10, 10],
      [2, 2],
    ]);
    expect(reports[0]?.data.map(({ index, external_id }) => `${index} ${external_id}`)).toEqual(
      items(10).map(({ sku }, i) => `${i} ${sku}`),
    );
    const keys = remote.asked.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('a review that repeats one of the other half is still refused, and not applied', async () => {
    const { remote, catalog } = await against(few);
    const review = (id: string) => ({ external_id: id, customer_external_id: 'c', product_sku: 'p', rating: 5 });
    const [report] = await importAll(catalog, 'review', [['a', 'b', 'c', 'a', 'd', 'd'].map(review)]);
    expect(remote.asked.map(({ items: sent }) => sent.map(({ external_id }) => external_id))).toEqual([
      ['a', 'b', 'c', 'a', 'd', 'd'],
      ['a', 'b', 'c'],
      ['d', 'd'],
    ]);
    expect(report?.data[3]).toMatchObject({ index: 3, code: 'duplicate_in_batch', action: 'refused' });
    expect(report?.data[3]?.id).toBe(report?.data[0]?.id);
  });

  it('a single item that is too large ends it with its size', async () => {
    const { catalog } = await against((_, answer) => answerJson(answer, 413, {}));
    const { error } = await failureOf(catalog, [items(2)]);
    expect(error.code).toBe('remote_failed');
    expect(error.message).toMatch(/answered 413.* to a single item of \d+ bytes/);
  });
});

describe('permanent errors', () => {
  it.each([401, 403])('%s stops at once: the key was refused', async (status) => {
    const { remote, catalog } = await against(
      (_, answer) =>
        answerJson(answer, status, {
          code: status,
          title: 'No',
          response: { error: 'x', message: `Not with ${key}.` },
        }),
      { concurrency: 1 },
    );
    const { error } = await failureOf(catalog, batches(5));
    expect(error.code).toBe('key_refused');
    expect(error.message).toContain(`answered ${status} (Not with [key])`);
    expect(remote.asked).toHaveLength(1);
  });

  it('a redirect is not followed, and its target is reported', async () => {
    const second = await oddRemote(answerReport);
    open.push(() => second.stop());
    const { remote, catalog } = await against((_, answer) =>
      answer.writeHead(307, { location: `${second.url}/v1/product/import` }).end(),
    );
    const { error } = await failureOf(catalog, batches(1));
    expect(error.code).toBe('remote_failed');
    expect(error.message).toContain(`answered 307 and points to ${second.url}`);
    expect(remote.asked).toHaveLength(1);
    expect(second.asked).toHaveLength(0);
  });

  it.each([
    ['HTML with 200', '<html>Welcome to the hotel</html>', 'Welcome to the hotel'],
    ['an empty 200', '', 'it answered 200'],
    ['JSON without the envelope', '[]', 'it answered 200'],
  ])('%s is not a report, and is not tried again', async (_, body, words) => {
    const { remote, catalog } = await against((_asked, answer) => void answer.writeHead(200).end(body));
    const { error } = await failureOf(catalog, batches(1));
    expect(error.code).toBe('remote_failed');
    expect(error.message).toContain('was reached, but did not answer as a catalog');
    expect(error.message).toContain(words);
    expect(remote.asked).toHaveLength(1);
  });

  const spoilt: readonly (readonly [string, (report: Record<string, unknown>) => unknown, string])[] = [
    ['without data', ({ data: _, ...rest }) => rest, 'malformed at data'],
    ['with too few lines', (r) => ({ ...r, data: (r['data'] as unknown[]).slice(1) }), 'has 1 lines on 2 items'],
    ['with a count that is wrong', (r) => ({ ...r, created: 1, updated: 1 }), 'counts 1 created and has 2 such lines'],
    ['with a total that is wrong', (r) => ({ ...r, total: 3 }), 'counts 3 total'],
    ['on another resource', (r) => ({ ...r, resource: 'category' }), 'is on category, not product'],
    ['of a dry run', (r) => ({ ...r, dry_run: true }), 'says dry_run true'],
    [
      'with other indexes',
      (r) => ({ ...r, data: (r['data'] as object[]).map((line, i) => ({ ...line, index: 1 - i })) }),
      'line 0 of its report has index 1',
    ],
    [
      'with the lines of other items',
      (r) => ({ ...r, data: (r['data'] as object[]).map((line) => ({ ...line, external_id: 'another' })) }),
      'line 0 of its report is on "another"',
    ],
    [
      'with keys in other letters',
      (r) => ({
        ...r,
        data: (r['data'] as { external_id: string }[]).map((line) => ({
          ...line,
          external_id: line.external_id.toLowerCase(),
        })),
      }),
      'line 0 of its report is on',
    ],
    [
      'with an action there is not',
      (r) => ({ ...r, data: (r['data'] as object[]).map((line) => ({ ...line, action: 'eaten' })) }),
      'malformed at data.0.action',
    ],
    [
      'with an identifier that would steer a terminal',
      (r) => ({ ...r, data: (r['data'] as object[]).map((line) => ({ ...line, id: 'prod_\u009b2J' })) }),
      'malformed at data.0.id',
    ],
    [
      'with a code that would end a text of JSON',
      (r) => ({ ...r, data: (r['data'] as object[]).map((line) => ({ ...line, code: 'a","b' })) }),
      'malformed at data.0.code',
    ],
  ];
  it.each(spoilt)('a report %s is distinguished from a failure of the network', async (_, spoil, words) => {
    const { remote, catalog } = await against((asked, answer) =>
      answerJson(answer, 200, { code: 200, title: 'OK', response: spoil(reportOn(asked)) }),
    );
    const { error, told } = await failureOf(catalog, batches(1));
    expect(error.code).toBe('remote_failed');
    expect(error.message).toContain('was reached, but did not answer as a catalog');
    expect(error.message).toContain(words);
    expect(told).toEqual([]);
    expect(remote.asked).toHaveLength(1);
  });

  it('members that a newer remote adds are ignored', async () => {
    const { catalog } = await against((asked, answer) =>
      answerJson(answer, 200, { code: 200, title: 'OK', more: 1, response: { ...reportOn(asked), took_ms: 3 } }),
    );
    const [report] = await importAll(catalog, 'product', batches(1));
    expect(Object.keys(report ?? {})).not.toContain('took_ms');
  });

  it('a read of an unknown path is not reported as a missing record', async () => {
    const { catalog } = await against((_, answer) =>
      answerJson(answer, 404, {
        code: 404,
        title: 'No',
        response: { error: 'route_not_found', message: 'Nothing here.' },
      }),
    );
    await expect(catalog.read(product, { key: 'x' })).rejects.toMatchObject({ code: 'remote_failed' });
  });
});

describe('the key', () => {
  it('is removed from texts that a remote sends back', async () => {
    const { catalog } = await against((asked, answer) => {
      const report = reportOn(asked);
      const [line] = report['data'] as Record<string, unknown>[];
      if (line !== undefined) line['notice'] = [{ code: 'x', field: '', message: asked.headers.authorization }];
      answerJson(answer, 200, { code: 200, title: 'OK', response: report });
    });
    const reports = await importAll(catalog, 'product', batches(1));
    expect(JSON.stringify(reports)).toContain('Bearer [key]');
    expect(JSON.stringify(reports)).not.toContain(key);
  });

  it.each([
    ['ftp://shop.example', 'is not a web address'],
    ['shop.example', 'is not a web address'],
    ['http://shop.example', 'would send the API key in clear text'],
    ['https://me:secret@shop.example', 'takes no user or password'],
    ['https://shop.example/?a=1', 'has a part after ? or #'],
  ])('is not sent to %s', async (url, words) => {
    await expect(client(url, key)).rejects.toThrow(words);
  });

  it('http is accepted for this machine, and elsewhere with an option', async () => {
    for (const url of ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])
      await (await client(url, key)).close();
    await (await client('http://shop.example', key, { allowHttp: true })).close();
  });
});
