// Several processes open and close one catalog all the time: whoever closes it as the last locks it for a moment, and
// whoever opens it then waits.
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
// Within the project, where packages are found.
const built = mkdtempSync(join(root, 'node_modules/.open-'));
afterAll(() => rmSync(built, { recursive: true, force: true }));

const script = `
const { openCatalog } = await import('./open.js');
const until = Date.now() + 2000;
let opened = 0;
for (; Date.now() < until; opened++) {
  const catalog = await openCatalog({ file: process.argv[2], create: true, scratch: opened % 5 === 4 });
  await catalog.close();
}
console.log(opened);
`;

it('a catalog that others open and close is never told as locked', async () => {
  await build({
    entryPoints: [join(root, 'src/store/open.ts')],
    outdir: built,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  cpSync(join(root, 'src/store/sqlite'), join(built, 'sqlite'), { recursive: true });
  const program = join(built, 'program.mjs');
  writeFileSync(program, script);
  const run = promisify(execFile);
  const ended = await Promise.all(
    Array.from({ length: 3 }, () => run(process.execPath, [program, join(built, 'shared.db')])),
  );
  for (const { stdout } of ended) expect(Number(stdout)).toBeGreaterThan(20);
});
