// Parts of the program built by themselves, for tests that need them in processes of their own.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, stop } from 'esbuild';
import { afterAll } from 'vitest';

const root = join(import.meta.dirname, '..');

/**
 * Builds sources as `npm run build` does, with the schema files of the store. Call it outside of tests.
 * @param names paths in `src` without `.ts`
 * @returns the folder they are in, each as its last name with `.js`; it goes away after the tests of the file
 */
export async function built(...names: readonly string[]): Promise<string> {
  // Within the project, where packages are found.
  const folder = mkdtempSync(join(root, 'node_modules/.built-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  await build({
    entryPoints: names.map((name) => join(root, 'src', `${name}.ts`)),
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  // Its process would stay.
  await stop();
  cpSync(join(root, 'src/store/sqlite/schema'), join(folder, 'schema'), { recursive: true });
  return folder;
}
