import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { folder, products } from '../cli/typed.js';
import { typedByUnlisted as typed } from './unlisted-user.js';

function openFolder(): string {
  const cwd = folder({ 'products.csv': products(3) });
  chmodSync(cwd, 0o777);
  chmodSync(join(cwd, 'products.csv'), 0o644);
  return cwd;
}

// Only root may start a process as another user.
describe.skipIf(process.getuid?.() !== 0)('an unlisted user without HOME (needs root, to become one)', () => {
  it('imports, reads and asks for help', async () => {
    const cwd = openFolder();
    expect(await typed(cwd, ['products', 'products.csv'])).toMatchObject({ code: 0, stderr: expect.any(String) });
    expect(await typed(cwd, ['get', 'product', '--sku', 'S-1'])).toMatchObject({ code: 0 });
    expect(await typed(cwd, ['config'])).toMatchObject({ code: 0 });
    expect(await typed(cwd, ['--help'])).toMatchObject({ code: 0 });
  });

  it('is told what to set where something belongs into the home folder', async () => {
    const cwd = openFolder();
    const remote = await typed(
      cwd,
      ['products', 'products.csv', '--remote', 'http://127.0.0.1:9', '--retry-max-time', '0s'],
      {
        CATALOG_API_KEY: `cik_${'a'.repeat(8)}_${'a'.repeat(38)}`,
      },
    );
    expect(remote).toMatchObject({ code: 2, stderr: expect.stringContaining('XDG_STATE_HOME') });
    const database = await typed(cwd, ['info', '--db', 'postgres://127.0.0.1:9/shop']);
    expect(database).toMatchObject({ code: 2, stderr: expect.stringContaining('PGUSER') });
  });
});
