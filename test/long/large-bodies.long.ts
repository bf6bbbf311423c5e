// Bodies at the limit of their size that take twenty times as much once they are parsed, one after the other: the process
// stays within its memory, and answers all the while.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { runProgram } from '../proof/program.js';

const bin = fileURLToPath(new URL('../../bin/catalog-import.js', import.meta.url));
const tamper = new URL('../proof/tamper.mjs', import.meta.url).href;
const folder = mkdtempSync(join(tmpdir(), 'catalog-bodies-'));
const db = join(folder, 'catalog.db');
afterAll(() => rmSync(folder, { recursive: true }));

const mebibytes = 15;
const filled = (entry: string): string => entry.repeat(Math.floor((mebibytes * 2 ** 20) / entry.length));
const bodies = {
  'empty items': `{"items":[${filled('{},')}{}]}`,
  'empty objects in an item': `{"items":[{"sku":"A","x":[${filled('{},')}{}]}]}`,
  'nested lists in an item': `{"items":[{"sku":"A","x":[${filled('[[[[[[]]]]]],')}0]}]}`,
  'a number that no double holds among them': `{"items":[{"sku":"A","x":[${filled('{},')}12345678901234567890]}]}`,
};

it('the parsed forms of large bodies stay within 600 MiB, and reads are answered meanwhile', async () => {
  const made = await runProgram(['keys', 'create', '--db', db, '--name', 'bodies', '--all']);
  const authorization = `Bearer ${/cik_\w+/.exec(made.lines.join('\n'))?.[0]}`;
  const peakFile = join(folder, 'peak');
  const child = spawn(process.execPath, ['--import', tamper, bin, 'serve', '--db', db, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, TAMPER: `peak:${peakFile}` },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!/http:\/\/127\.0\.0\.1:[1-9]/.test(said)) await sleep(50);
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  const headers = { authorization, 'content-type': 'application/json' };
  for (const [name, body] of Object.entries(bodies)) {
    for (let turn = 0; turn < 4; turn++) {
      let answered = false;
      const posted = fetch(`${address}/v1/product/import`, { method: 'POST', headers, body }).then(async (response) => {
        await response.text();
        answered = true;
        return response.status;
      });
      const waits: number[] = [];
      while (!answered) {
        const started = performance.now();
        await (await fetch(`${address}/livez`)).text();
        waits.push(performance.now() - started);
        await sleep(10);
      }
      expect([200, 413]).toContain(await posted);
      console.log(`${name}: ${waits.length} looks at /livez, the slowest ${Math.max(...waits).toFixed(0)} ms`);
    }
  }
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(said).not.toMatch(/thread/);
  const peak = Number.parseInt(readFileSync(peakFile, 'utf8'), 10) / 1024;
  console.log(`peak ${peak.toFixed(0)} MiB`);
  expect(peak).toBeLessThan(600);
});
