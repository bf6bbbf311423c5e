// Several processes open and close one catalog all the time: whoever closes it as the last locks it for a moment, and
// whoever opens it then waits.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import { built } from '../built.js';
import { execFile } from '../child.js';

const folder = await built('store/open');

const script = `
const { openCatalog } = await import('./open.js');
const until = performance.now() + 2000;
let opened = 0;
for (; performance.now() < until || opened < 20; opened++) {
  const catalog = await openCatalog({ file: process.argv[2], create: true, scratch: opened % 5 === 4 });
  await catalog.close();
}
`;

it('a catalog that others open and close is never reported as locked', async () => {
  const program = join(folder, 'program.mjs');
  writeFileSync(program, script);
  const run = execFile;
  await Promise.all(Array.from({ length: 3 }, () => run(process.execPath, [program, join(folder, 'shared.db')])));
});
