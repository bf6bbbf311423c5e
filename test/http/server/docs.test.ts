// /docs: the reference in a browser. Its files come from this server under a strict policy; in Chromium it shows every
// endpoint with its examples, the lists of codes, and tries a request.
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notices, refusals } from '../../../src/core/diagnostics/refusal-codes.js';
import { resources } from '../../../src/core/resources/index.js';
import { noChromium, type OpenedPage, openPage, press } from '../../reporting/html/chromium.js';
import { type GivenServer, givenServer } from './given-server.js';

let given: GivenServer;
beforeAll(async () => {
  given = await givenServer({ cors: ['https://shop.example'] });
  await given.post('/v1/product/import', { items: [{ sku: 'PHONE-64', currency: 'EUR', price: '7.00' }] });
});
afterAll(() => given.stop());

const asked = (path: string, headers: Record<string, string> = {}) => fetch(given.server.url + path, { headers });

describe('the files of /docs', () => {
  it('need no key, and the page may load and request only from this server', async () => {
    const page = await asked('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(page.headers.get('vary')).toBe('Origin, accept-encoding');
    const text = await page.text();
    const named = [...text.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(4);
    for (const path of named) {
      const file = await asked(`/${path}`);
      expect([path, file.status]).toEqual([path, 200]);
      expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  it('are sent compressed to clients that accept gzip, plain to others, and as 304 to those that have them', async () => {
    const path = '/docs/swagger-ui.css';
    const plain = await asked(path, { 'accept-encoding': 'identity' });
    const text = await plain.text();
    expect(plain.headers.get('content-encoding')).toBeNull();
    const { headers } = await given.call('HEAD', path, { key: '', headers: { 'accept-encoding': 'br, gzip;q=0.5' } });
    expect(headers['content-encoding']).toBe('gzip');
    expect(Number(headers['content-length'])).toBeLessThan(text.length / 3);
    const packed = await given.raw(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n`,
    );
    const body = Buffer.from(packed.slice(packed.indexOf('\r\n\r\n') + 4), 'latin1');
    expect(gunzipSync(body).toString()).toBe(text);
    const none = await asked(path, { 'accept-encoding': 'gzip;q=0' });
    expect([none.headers.get('content-encoding'), await none.text()]).toEqual([null, text]);
    const again = await asked(path, { 'if-none-match': String(plain.headers.get('etag')) });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('are these only: no path leads to another file, and nothing can be sent to them', async () => {
    for (const path of ['/docs/LICENSE', '/docs/../openapi.json%00', '/docs/%2e%2e/server.js', '/docs/index.html'])
      expect((await given.get(path, { key: '' })).body.response.error).toBe('route_not_found');
    const { status, headers } = await given.call('POST', '/docs', { key: '' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
  });
});

describe.skipIf(noChromium)(`/docs in a browser${noChromium === undefined ? '' : ` (skipped: ${noChromium})`}`, () => {
  // One page, as it is slow to load: dark and narrow from the start, which changes nothing of what it does.
  let opened: OpenedPage;
  beforeAll(async () => {
    opened = await openPage(`${given.server.url}/docs`, { colorScheme: 'dark', viewport: { width: 360, height: 740 } });
    await opened.page.locator('.opblock').first().waitFor();
  });

  it('shows every operation and the lists of codes, asks no other host, and breaks no rule of its policy', async () => {
    const { page, errors, requests } = opened;
    // Three of each resource; the service, its two kinds of health, and the document.
    expect(await page.locator('.opblock').count()).toBe(3 * resources.length + 4);
    for (const [title, codes] of [
      ['Codes of refused items', refusals],
      ['Codes of notices', notices],
    ] as const) {
      const folded = page.locator('details', { hasText: title });
      await press(folded.locator('summary'), folded.locator('tbody').first());
      const shown = await folded.locator('tbody tr td:first-child').allInnerTexts();
      expect(shown.map((text) => text.trim())).toEqual(Object.keys(codes));
      const remedies = await folded.locator('tbody tr td:last-child').allInnerTexts();
      expect(remedies.join().match(/<\w+>/g)).toEqual(
        Object.values(codes)
          .map(({ remedy }) => remedy)
          .join()
          .match(/<\w+>/g),
      );
    }
    expect(await page.locator('details', { hasText: 'Words of failed requests' }).innerHTML()).toContain(
      'rate_limited',
    );
    expect(errors).toEqual([]);
    for (const address of requests) expect(address).toMatch(new RegExp(`^${given.server.url}/|^data:`));
    expect(requests.length).toBeGreaterThan(3);
  });

  it('shows the examples of an endpoint, and tries a request with the key that is typed in', async () => {
    const { page, errors } = opened;
    const posting = page.locator('#operations-product-importProduct');
    await press(posting.locator('.opblock-summary-control'), posting.locator('.opblock-body'));
    await expect.poll(() => posting.innerText()).toContain('"sku": "PHONE-64"');
    expect(await posting.innerText()).toContain('"action": "created"');
    const key = page.locator('.auth-container input');
    await press(page.locator('.auth-wrapper .authorize').first(), key);
    await key.fill(given.key);
    await page.locator('.auth-btn-wrapper .authorize').click();
    await page.locator('.btn-done').click();
    const reading = page.locator('#operations-product-readProduct');
    await press(reading.locator('.opblock-summary-control'), reading.locator('.opblock-body'));
    await press(reading.locator('.try-out__btn'), reading.locator('.execute'));
    await reading.locator('.execute').click();
    await expect.poll(() => reading.locator('.live-responses-table').innerText()).toContain('"price": "7.00"');
    expect(errors).toEqual([]);
  });

  it('is dark where the system is, also when that changes', async () => {
    const { page } = opened;
    const background = () => page.evaluate("getComputedStyle(document.querySelector('.swagger-ui')).backgroundColor");
    expect(await background()).toBe('rgb(28, 32, 34)');
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(background).not.toBe('rgb(28, 32, 34)');
  });

  it('fits a narrow screen, and says where to read on without JavaScript', async () => {
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    const still = await openPage(`${given.server.url}/docs`, { javaScriptEnabled: false });
    expect(await still.page.locator('#reference a').getAttribute('href')).toBe('openapi.json');
  });
});
