// Files that one process at a time may write.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, it } from 'vitest';
import { built } from '../built.js';
import { folder } from '../cli/typed.js';
import { until } from '../until.js';

const code = join(await built('files/claimed-file'), 'claimed-file.js');

it('a mark is whole whenever it is seen, so that who writes another part is not in the way', async () => {
  const cwd = folder();
  const worker = new Worker(
    `const { workerData } = require('node:worker_threads');
    import(workerData.code).then(({ claimFile }) => {
      for (;;) claimFile(workerData.file, { part: 'one' })?.();
    });`,
    { eval: true, workerData: { code, file: join(cwd, 's.prom') } },
  );
  const seen: string[] = [];
  const look = (): void => {
    for (const name of readdirSync(cwd).filter((one) => one.endsWith('.lock'))) {
      try {
        seen.push(readFileSync(join(cwd, name), 'utf8'));
      } catch {
        // It was removed meanwhile.
      }
    }
  };
  await until('a thousand marks', () => {
    for (let i = 0; i < 100; i++) look();
    return seen.length >= 1000;
  });
  await worker.terminate();
  expect(seen.filter((text) => !/^\S+ \d+ \d*\none\n?$/.test(text))).toEqual([]);
});
