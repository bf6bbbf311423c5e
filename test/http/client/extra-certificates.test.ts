// Certificates of NODE_EXTRA_CA_CERTS stay trusted with --ca-file: a list of one's own replaces everything Node trusts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { runProgram } from '../../proof/program.js';
import { answerReport, oddRemote } from './odd-remote.js';

const file = (name: string): string => fileURLToPath(new URL(`../tls/${name}`, import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'catalog-certificates-'));
afterAll(() => rmSync(folder, { recursive: true }));

it('a remote that NODE_EXTRA_CA_CERTS vouches for is trusted beside --ca-file, and is not without it', async () => {
  const remote = await oddRemote(answerReport, {
    cert: readFileSync(file('cert.pem')),
    key: readFileSync(file('key.pem')),
  });
  const [other, feed] = [join(folder, 'other.pem'), join(folder, 'feed.ndjson')];
  writeFileSync(other, rootCertificates[0] ?? '');
  writeFileSync(feed, '{"sku":"A","currency":"EUR"}\n');
  const args = ['products', feed, '--remote', remote.url, '--ca-file', other];
  const env = { CATALOG_API_KEY: 'cik_abcdefgh_0123456789abcdefghijklmnopqrstuvXYZ012', XDG_STATE_HOME: folder };
  try {
    const trusted = await runProgram(args, { env: { ...env, NODE_EXTRA_CA_CERTS: file('cert.pem') } });
    expect([trusted.code, trusted.stderr]).toEqual([0, expect.any(String)]);
    const distrusted = await runProgram(args, { env });
    expect([distrusted.code, distrusted.stderr]).toEqual([6, expect.stringContaining('--ca-file')]);
  } finally {
    await remote.stop();
  }
});
