// Who may ask, how often, and that asking twice imports once.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { networkOf } from '../../../src/http/server/admission/client-address.js';
import { openCatalog } from '../../../src/store/open.js';
import { openDatabase } from '../../../src/store/sqlite/database.js';
import { allowed } from '../../tier.js';
import { until } from '../../until.js';
import { type GivenServer, givenServer } from './given-server.js';

const product = '/v1/product/import';
let given: GivenServer;
beforeAll(async () => {
  given = await givenServer({ limits: { rate: 1_000_000, authFailures: 3 } });
});
afterAll(() => given.stop());

const scopes = ['product:read', 'product:write'];
const aRead = `${product}?sku=none`;

describe('a key', () => {
  it('has the written form cik_<8>_<32><6>, and is kept as a digest only', async () => {
    const { id, text } = await given.keys.create({ name: 'form', scopes, expiresAt: null });
    expect(text).toMatch(/^cik_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    expect(text.slice(4, 12)).toBe(id);
    expect(JSON.stringify(await given.keys.list())).not.toContain(text.slice(13));
  });

  it('is missing: 401 with a challenge that names no error', async () => {
    for (const authorization of ['', 'Basic abc', 'Bearer', 'Bearer ', given.key]) {
      const { status, headers, body } = await given.get(aRead, { key: '', headers: { authorization } });
      expect([authorization, status, body.response.error]).toEqual([authorization, 401, 'missing_api_key']);
      expect(headers['www-authenticate']).toBe('Bearer realm="catalog-import"');
    }
  });

  it('is named by the scheme Bearer in any case', async () => {
    const { status } = await given.get(aRead, { key: '', headers: { authorization: `bEARER   ${given.key}` } });
    expect(status).toBe(404);
  });

  it('is reported as expired or revoked only where the secret matches', async () => {
    const expired = await given.keys.create({
      name: 'e',
      scopes,
      expiresAt: Math.floor(Date.now() / 1000) - 1,
    });
    const answer = await given.get(aRead, { key: expired.text });
    expect([answer.status, answer.body.response.error]).toEqual([401, 'expired_api_key']);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    const forged = forge(expired.text);
    expect((await given.get(aRead, { key: forged })).body.response.error).toBe('invalid_api_key');
  });

  it('is refused within a second of its revocation by another process', async () => {
    const { id, text } = await given.keys.create({ name: 'r', scopes, expiresAt: null });
    expect((await given.get(aRead, { key: text })).status).toBe(404);
    const file = given.file;
    const other = await openCatalog({ file, create: false });
    expect(await (await other.keys()).revoke(id)).toBe(true);
    await other.close();
    const error = async () => (await given.get(aRead, { key: text })).body.response.error;
    await until('the key to be refused', async () => (await error()) === 'revoked_api_key', { within: allowed(1_000) });
  });

  it('that fails more often than allowed is answered 429, and a valid key from the same address is accepted', async () => {
    const fresh = await givenServer({ limits: { rate: 1_000_000, authFailures: 3 } });
    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await fresh.get(aRead, { key: 'wrong' })).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
    const late = await fresh.get(aRead, { key: 'wrong' });
    // What is left of a minute.
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(5);
    expect((await fresh.get(aRead)).status).toBe(404);
    // Requests without a key are no failed authentication.
    expect((await fresh.get(aRead, { key: '' })).status).toBe(401);
    await fresh.stop();
  });

  it('is accepted up to the rate limit, then told how long to wait', async () => {
    const fresh = await givenServer({ limits: { rate: 5, authFailures: 20 } });
    // So many that some are beyond the limit even where they take seconds.
    const answers = await Promise.all(Array.from({ length: 60 }, () => fresh.get(aRead)));
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited.length).toBeGreaterThanOrEqual(2);
    expect(answers.length - limited.length).toBeGreaterThanOrEqual(5);
    expect(limited[0]?.headers['retry-after']).toBe('1');
    expect(limited[0]?.body.response.error).toBe('rate_limited');
    const accepted = async () => {
      const answer = await fresh.get(aRead);
      if (answer.status === 429) limited.push(answer);
      return answer.status === 404;
    };
    await until('a request to be accepted', accepted, { within: allowed(1_100) });
    await fresh.stop();
    // The log names the key that exceeds its rate, by its id.
    const lines = fresh.log.join('').trim().split('\n');
    const logged = lines.map((line) => JSON.parse(line)).filter(({ error }) => error === 'rate_limited');
    expect(logged.map(({ key }) => key)).toEqual(limited.map(() => fresh.key.slice(4, 12)));
  });
});

describe.each([
  ['back by an hour', -3_600_000],
  ['forward by a year', 365 * 86_400_000],
])('a clock that is set %s', (_, jump) => {
  it('locks out neither a key nor an address', async () => {
    const fresh = await givenServer({ limits: { rate: 2, authFailures: 2 } });
    await fresh.get(aRead);
    await fresh.get(aRead, { key: 'wrong' });
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + jump });
    try {
      const answers = [await fresh.get(aRead), await fresh.get(aRead, { key: 'wrong' })];
      expect(answers.map(({ status }) => status)).toEqual([404, 401]);
      expect(answers[0]?.headers['ratelimit']).toMatch(/^"key";r=[01];t=1$/);
    } finally {
      vi.useRealTimers();
      await fresh.stop();
    }
  });
});

it('a key that is revoked while its body arrives imports nothing', async () => {
  const { id, text } = await given.keys.create({ name: 'late', scopes, expiresAt: null });
  const { hostname, port } = new URL(given.server.url);
  const headers = { authorization: `Bearer ${text}`, 'content-type': 'application/json' };
  const slow = request({ hostname, port, method: 'POST', path: product, headers });
  const answered = new Promise((resolve) => slow.on('response', (answer) => resolve(answer.resume().statusCode)));
  slow.write('{"items":[{"sku":"LATE",');
  await expect.poll(() => given.metric('catalog_http_requests_in_flight')).toBe(1);
  await given.keys.revoke(id);
  // Failures may be more than are allowed meanwhile.
  const refused = async () => (await given.get(aRead, { key: text })).status !== 404;
  await until('the key to be refused', refused, { within: allowed(1_000) });
  slow.end('"currency":"EUR"}]}');
  expect(await answered).toBe(401);
  expect((await given.get(`${product}?sku=LATE`)).status).toBe(404);
});

/** The same id with another secret and a sum that fits. */
function forge(text: string): string {
  const start = `${text.slice(0, 13)}${'0'.repeat(32)}`;
  return start + sumOf(start);
}

function sumOf(text: string): string {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = digits[rest % 62] + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}

describe('an Idempotency-Key', () => {
  const batch = (sku: string) => ({ items: [{ sku, currency: 'EUR' }] });
  const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

  it('replays the stored report for the same bytes, and imports nothing', async () => {
    const first = await given.post(product, batch('i1'), keyed('k1'));
    const second = await given.post(product, batch('i1'), keyed('k1'));
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(second.headers['idempotency-replayed']).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(second.body.response.created).toBe(1);
  });

  it('answers 422 to another body', async () => {
    await given.post(product, batch('i2'), keyed('k2'));
    const { status, body } = await given.post(product, batch('i3'), keyed('k2'));
    expect([status, body.response.error]).toEqual([422, 'idempotency_key_reused']);
    expect((await given.get(`${product}?sku=i3`)).status).toBe(404);
  });

  it('belongs to an API key and a path', async () => {
    await given.post(product, batch('i4'), keyed('k4'));
    const { text } = await given.keys.create({ name: 'other', scopes, expiresAt: null });
    expect((await given.post(product, batch('i5'), { ...keyed('k4'), key: text })).body.response.created).toBe(1);
    const category = await given.post('/v1/category/import', { items: [{ name: 'i4' }] }, keyed('k4'));
    expect(category.body.response.created).toBe(1);
  });

  it('is not stored for a dry run', async () => {
    const dry = { ...batch('i6'), dry_run: true };
    await given.post(product, dry, keyed('k6'));
    const again = await given.post(product, dry, keyed('k6'));
    expect(again.headers['idempotency-replayed']).toBeUndefined();
    expect((await given.post(product, batch('i6'), keyed('k6'))).body.response.created).toBe(1);
  });

  it('is valid for 24 hours, after which its report is deleted', async () => {
    await given.post(product, batch('i9'), keyed('k9'));
    const age = (hours: number) => {
      const database = openDatabase(given.file, true);
      database
        .prepare('UPDATE receipt SET created_at = unixepoch() - ? WHERE key = ?')
        .run(Math.round(hours * 3600), 'k9');
      database.close();
    };
    age(23.9);
    expect((await given.post(product, batch('i9'), keyed('k9'))).body.response.created).toBe(1);
    age(24.1);
    expect((await given.post(product, batch('i9'), keyed('k9'))).body.response.unchanged).toBe(1);
    age(24.1);
    await given.catalog.forgetReceipts();
    const database = openDatabase(given.file, true);
    expect(database.prepare('SELECT count(*) FROM receipt WHERE key = ?').pluck().get('k9')).toBe(0);
    database.close();
  });

  it('is stored compressed and replayed byte for byte, also one of an older version', async () => {
    const items = Array.from({ length: 40 }, (_, i) => ({
      sku: `kept-${i}é`,
      currency: 'EUR',
      stock: i === 3 ? 'x' : i,
    }));
    const first = await given.post(product, { items }, keyed('kept'));
    const database = openDatabase(given.file, true);
    const size = database.prepare("SELECT octet_length(report) FROM receipt WHERE key = 'kept'").pluck().get();
    expect(Number(size) * 4).toBeLessThan(JSON.stringify(first.body.response).length);
    const again = await given.post(product, { items }, keyed('kept'));
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toEqual(first.body);
    database.prepare("UPDATE receipt SET report = ? WHERE key = 'kept'").run(JSON.stringify(first.body.response));
    database.close();
    expect((await given.post(product, { items }, keyed('kept'))).body).toEqual(first.body);
  });

  it('beyond the limits of number and bytes the oldest are deleted', async () => {
    const database = openDatabase(given.file, true);
    const keys = ['old1', 'old2', 'old3'];
    for (const [i, key] of keys.entries()) {
      await given.post(product, batch(key), keyed(key));
      database.prepare('UPDATE receipt SET created_at = unixepoch() - ? WHERE key = ?').run(3600 - i, key);
    }
    database.prepare("UPDATE receipt SET created_at = unixepoch() - 7200 WHERE key NOT LIKE 'old%'").run();
    const left = () => database.prepare('SELECT key FROM receipt ORDER BY created_at').pluck().all();
    await given.catalog.forgetReceipts({ rows: 2, column: 'report', bytes: 1_000_000 });
    expect(left()).toEqual(['old2', 'old3']);
    const bytes = Number(database.prepare("SELECT octet_length(report) FROM receipt WHERE key = 'old3'").pluck().get());
    await given.catalog.forgetReceipts({ rows: 2, column: 'report', bytes });
    expect(left()).toEqual(['old3']);
    database.close();
  });

  it('in progress is answered 409, and concurrent requests import once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => given.post(product, batch('i7'), keyed('k7'))));
    const fresh = answers.filter(({ status, headers }) => status === 200 && !headers['idempotency-replayed']);
    expect(fresh).toHaveLength(1);
    for (const { status, body } of answers) {
      if (status !== 200) expect([status, body.response.error]).toEqual([409, 'idempotency_key_in_use']);
      else expect(body.response.created).toBe(1);
    }
  });

  it('is 1 to 255 visible ASCII characters', async () => {
    for (const key of ['a b', 'x'.repeat(256), 'é', '']) {
      const { status, body } = await given.post(product, batch('i8'), keyed(key));
      expect([key, status, body.response.error]).toEqual([key, 400, 'invalid_parameter']);
    }
    expect((await given.post(product, batch('i8'), keyed('~'.repeat(255)))).status).toBe(200);
  });
});

describe('failed authentications', () => {
  it('log an address without what a client may add to it', async () => {
    const fresh = await givenServer({ trustedProxies: ['loopback'] });
    for (const forwarded of [`fe80::1%${'z'.repeat(9000)}`, 'fe80::1%eth0', 'x'.repeat(9000), '[fe80::1%a]:80'])
      await fresh.get('/livez', { headers: { 'x-forwarded-for': forwarded } });
    await fresh.stop();
    const lines = fresh.log.join('').trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).address)).toEqual(['fe80::1', 'fe80::1', '127.0.0.1', 'fe80::1']);
  });

  /** Who failed how: the status of each attempt, one failure a minute and network being allowed. */
  async function statuses(trustedProxies: readonly string[], forwarded: readonly string[]): Promise<number[]> {
    const fresh = await givenServer({ trustedProxies, limits: { rate: 100, authFailures: 1 } });
    const all: number[] = [];
    for (const address of forwarded) {
      const headers = { 'x-forwarded-for': address };
      all.push((await fresh.get(aRead, { key: 'x', headers })).status);
    }
    await fresh.stop();
    return all;
  }

  it('behind a proxy count by the last forwarded address that is not a proxy', async () => {
    const addresses = ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1', '1.1.1.1, 2.2.2.2', '2.2.2.2, 127.0.0.1', '3.3.3.3:99'];
    expect(await statuses(['loopback'], [...addresses, '3.3.3.3'])).toEqual([401, 429, 401, 429, 401, 429]);
    expect(await statuses(['127.0.0.0/8', '10.0.0.0/8'], ['1.1.1.1', '1.1.1.1, 10.1.2.3'])).toEqual([401, 429]);
  });

  it('of a direct client count by its own address, whatever its headers say', async () => {
    expect(await statuses([], ['1.1.1.1', '2.2.2.2'])).toEqual([401, 429]);
    expect(await statuses(['10.0.0.0/8'], ['1.1.1.1', '2.2.2.2'])).toEqual([401, 429]);
  });

  it('of IPv6 count by /64, and what is not an address counts for the proxy', async () => {
    const addresses = ['2001:db8:1:2::1', '2001:DB8:1:2:ffff::2', '2001:db8:1:3::1', '[2001:db8:1:3::9]:80'];
    expect(await statuses(['loopback'], addresses)).toEqual([401, 429, 401, 429]);
    expect(await statuses(['loopback'], ['unknown', '_hidden', '::ffff:1.1.1.1', '1.1.1.1'])).toEqual([
      401, 429, 401, 429,
    ]);
  });
});

describe('the network of an address', () => {
  it.each([
    ['4eb3::cba6:1367:d375:84a0:1.2.3.4', '4eb3:0:cba6:1367::/64'],
    ['1.2.3.4', '1.2.3.4'],
    ['::1', '0:0:0:0::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:0db8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
    ['1:2:3:4:5:6:7::', '1:2:3:4::/64'],
  ])('%s is %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
