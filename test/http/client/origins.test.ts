// Who sees the key: the origin it was given for, over TLS that is checked, and nobody on the way there.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { CatalogError } from '../../../src/core/errors.js';
import type { RemoteCatalog, RemoteOptions } from '../../../src/http/client/remote-catalog.js';
import { importAll } from '../../contract.js';
import { client } from './given-remote.js';
import { answerReport, type OddRemote, oddRemote } from './odd-remote.js';

const file = (name: string): Buffer => readFileSync(new URL(`../tls/${name}`, import.meta.url));
const tls = { cert: file('cert.pem'), key: file('key.pem') };
const ca = tls.cert.toString();
const key = 'cik_abcdefgh_0123456789abcdefghijklmnopqrstuvXYZ012';
const batches = [[{ sku: 'A', currency: 'EUR' }]];

const open: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

async function given(secure: boolean): Promise<OddRemote> {
  const remote = await oddRemote(answerReport, secure ? tls : undefined);
  open.push(() => remote.stop());
  return remote;
}

async function clientOf(url: string, options: Partial<RemoteOptions> = {}): Promise<RemoteCatalog> {
  const catalog = await client(url, key, options);
  open.push(() => catalog.close());
  return catalog;
}

/** A proxy that connects wherever it is asked to, on this machine, and keeps every byte it sees. */
async function givenProxy(): Promise<{
  readonly url: string;
  readonly seen: () => string;
  readonly tunnels: string[];
}> {
  const tunnels: string[] = [];
  let seen = '';
  const keep = (bytes: Buffer) => {
    seen += bytes.toString('latin1');
  };
  const proxy = createServer((incoming, outgoing) => {
    seen += JSON.stringify([incoming.url, incoming.headers]);
    outgoing.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    seen += JSON.stringify(request.headers);
    const upstream = connect(Number(request.url?.replace(/^.*:/, '')), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.on('data', keep).pipe(upstream).on('data', keep).pipe(socket);
    });
    for (const end of [socket, upstream]) end.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  open.push(async () => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, seen: () => seen, tunnels };
}

describe('certificates', () => {
  it('one that is not trusted ends it at once, and names --ca-file', async () => {
    const remote = await given(true);
    const catalog = await clientOf(remote.url);
    const failure = await importAll(catalog, 'product', batches).catch((error: CatalogError) => error);
    expect(failure).toMatchObject({ code: 'remote_failed', message: expect.stringContaining('--ca-file') });
    expect(remote.asked).toHaveLength(0);
  });

  it('one that --ca-file names is trusted', async () => {
    const remote = await given(true);
    const catalog = await clientOf(remote.url, { ca });
    expect(await importAll(catalog, 'product', batches)).toHaveLength(1);
  });

  it('an invalid certificate file is reported at once', async () => {
    const remote = await given(true);
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const catalog = await clientOf(remote.url, { ca: broken });
    await expect(importAll(catalog, 'product', batches)).rejects.toThrow('--ca-file');
  });

  it('NODE_TLS_REJECT_UNAUTHORIZED does not switch the check off', async () => {
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const remote = await given(true);
      const catalog = await clientOf(remote.url);
      await expect(importAll(catalog, 'product', batches)).rejects.toMatchObject({ code: 'remote_failed' });
      expect(remote.asked).toHaveLength(0);
    } finally {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    }
  });

  it('https to a port without TLS ends it at once, with the reason', async () => {
    const remote = await given(false);
    const catalog = await clientOf(remote.url.replace('http:', 'https:'));
    await expect(importAll(catalog, 'product', batches)).rejects.toThrow('There is no TLS at this address');
  });

  it('a name that is not found ends it at once', async () => {
    // No name has so long a part: it takes no network to know that.
    const catalog = await clientOf(`https://${'x'.repeat(64)}.invalid`);
    await expect(importAll(catalog, 'product', batches)).rejects.toThrow('Check the address given with --remote');
  });
});

describe('proxies', () => {
  // With a dot at its end it is the same host, and yet no address of this machine to those who look at names.
  const host = (remote: OddRemote) => `https://localhost.:${remote.port}`;

  it.each(['HTTPS_PROXY', 'https_proxy'])(
    '%s: the proxy sees the name of the host, and never the key',
    async (name) => {
      const remote = await given(true);
      const proxy = await givenProxy();
      const catalog = await clientOf(host(remote), { ca, env: { [name]: proxy.url } });
      expect(await importAll(catalog, 'product', batches)).toHaveLength(1);
      expect(proxy.tunnels).toEqual([`localhost.:${remote.port}`]);
      expect(proxy.seen()).not.toContain(key);
      expect(proxy.seen()).not.toMatch(/authorization/i);
      expect(remote.asked[0]?.headers.authorization).toBe(`Bearer ${key}`);
    },
  );

  it('the certificate is checked through a proxy, too', async () => {
    const remote = await given(true);
    const proxy = await givenProxy();
    const catalog = await clientOf(host(remote), { env: { HTTPS_PROXY: proxy.url } });
    await expect(importAll(catalog, 'product', batches)).rejects.toThrow('--ca-file');
    expect(remote.asked).toHaveLength(0);
  });

  it('NO_PROXY leaves the proxy out', async () => {
    const remote = await given(true);
    const proxy = await givenProxy();
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: 'localhost.' };
    const catalog = await clientOf(host(remote), { ca, env });
    // Without the proxy the name has to be one that this machine knows; what counts is who was asked.
    await importAll(catalog, 'product', batches).catch(() => undefined);
    expect(proxy.tunnels).toEqual([]);
  });

  it('an invalid proxy variable is reported without its value', async () => {
    const opened = client('https://shop.example', key, { env: { HTTPS_PROXY: 'me:secret@' } });
    await expect(opened).rejects.toMatchObject({ code: 'usage', message: expect.not.stringContaining('secret') });
  });

  it('requests to this machine never use a proxy', async () => {
    const remote = await given(false);
    const proxy = await givenProxy();
    const catalog = await clientOf(remote.url, { env: { HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url } });
    expect(await importAll(catalog, 'product', batches)).toHaveLength(1);
    expect(proxy.seen()).toBe('');
  });
});
