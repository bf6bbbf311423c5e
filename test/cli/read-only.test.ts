// A catalog and a folder that this user may only read: whatever reads works, whatever writes says what is to be done.
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { typedInTurn } from './started.js';
import { folder, products, typed } from './typed.js';

/** Types commands as a user without rights, one after the other. Only root may start a process as another: others type as themselves. */
function typedByReader(cwd: string, commands: readonly (readonly string[])[]) {
  const home = folder();
  chmodSync(home, 0o777);
  const { PATH } = process.env;
  const reader = process.getuid?.() === 0 ? { uid: 54_321, gid: 54_321 } : {};
  return typedInTurn(cwd, commands, { env: { PATH, HOME: home, TMPDIR: home }, ...reader });
}

async function readOnlyFolder(): Promise<string> {
  const cwd = folder({ 'products.csv': products(3) });
  expect((await typed(cwd, ['products', 'products.csv', '--feed', 'erp', '--quiet'])).code).toBe(0);
  for (const name of readdirSync(cwd)) chmodSync(join(cwd, name), 0o444);
  chmodSync(cwd, 0o555);
  return cwd;
}

describe.skipIf(process.getuid === undefined)(
  'a catalog that cannot be written (not on Windows: there are no such rights)',
  () => {
    it('can be read', async () => {
      const cwd = await readOnlyFolder();
      const before = readFileSync(join(cwd, 'catalog.db'));
      const out = folder();
      chmodSync(out, 0o777);
      const all = await typedByReader(cwd, [
        ['list', 'products'],
        ['get', 'product', '--sku', 'S-1'],
        ['info'],
        ['export', 'products'],
        ['search', 'Product'],
        ['doctor'],
        ['runs'],
        ['runs', 'show', '1'],
        ['why', 'product', '--sku', 'S-1'],
        ['prices', 'product', 'S-1'],
        ['missing', '--feed', 'erp'],
        ['feeds'],
        ['keys', 'list'],
        ['undo', '1', '--dry-run'],
        ['export', join(out, 'exported')],
        ['backup', join(out, 'copy.db')],
        ['restore', 'catalog.db', '--db', join(out, 'restored.db')],
        ['products', 'products.csv', '--dry-run'],
        ['products', 'products.csv', '--set', 'stock=7', '--dry-run', '--diff', '--feed', 'erp'],
        ['plan', 'products', 'products.csv', '--out', join(out, 'night.plan')],
      ]);
      for (const { args, code, stderr } of all) expect([args, code], stderr).toEqual([args, 0]);
      expect(readFileSync(join(cwd, 'catalog.db')).equals(before)).toBe(true);
      expect(readdirSync(cwd).sort()).toEqual(['catalog.db', 'products.csv']);
      chmodSync(cwd, 0o755);
    });

    it('is refused by what writes, and nothing is lost without a word', async () => {
      const cwd = await readOnlyFolder();
      const all = await typedByReader(cwd, [
        ['products', 'products.csv', '--set', 'stock=7'],
        ['undo', '1'],
        ['keys', 'create', '--name', 'x', '--all'],
        ['shop', 'delete-product', 'S-1'],
      ]);
      for (const { args, code, stderr } of all)
        expect([args, code, stderr]).toEqual([
          args,
          7,
          expect.stringContaining('is read-only; make it and its folder writable'),
        ]);
      chmodSync(cwd, 0o755);
    });

    it('is refused by what writes also where only its folder is read-only, so that a copy could be written to', async () => {
      const cwd = await readOnlyFolder();
      chmodSync(join(cwd, 'catalog.db'), 0o666);
      const before = readFileSync(join(cwd, 'catalog.db'));
      const all = await typedByReader(cwd, [
        ['list', 'products'],
        ['products', 'products.csv', '--set', 'stock=7'],
        ['undo', '1'],
      ]);
      expect(all.map(({ code }) => code)).toEqual([0, 7, 7]);
      expect(readFileSync(join(cwd, 'catalog.db')).equals(before)).toBe(true);
      chmodSync(cwd, 0o755);
    });
  },
);
