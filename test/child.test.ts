// Waiting and processes of tests (until.ts, child.ts).
import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { endChildren, lineOf, linesOf, outcome, startChild, written } from './child.js';
import { runFolder } from './run-folder.js';
import { settled, until } from './until.js';

const node = (code: string) => startChild(process.execPath, ['-e', code]);

it('a line is waited for as a line, however it is cut into pieces', async () => {
  const child = node(`const all = 'ready 1\\nenough 2\\nrest'; let i = 0;
    const next = () => i < all.length ? process.stdout.write(all[i++], next) : setTimeout(() => {}, 60_000); next();`);
  expect((await lineOf(child, /^enough (\d)$/))[1]).toBe('2');
  expect((await lineOf(child, /^ready (\d)$/))[1]).toBe('1');
  expect(await linesOf(child, / \d/, 2)).toHaveLength(2);
});

it('two lines in one piece are two lines', async () => {
  const child = node(`process.stdout.write('ready\\nenough\\n'); setTimeout(() => {}, 60_000)`);
  await lineOf(child, /^ready$/);
  await lineOf(child, /^enough$/);
});

it('a line that does not come before the end of the process: what it wrote, and how it ended', async () => {
  const child = node(`console.log('almost'); console.error('because'); process.exitCode = 7`);
  const failed = lineOf(child, /^ready$/);
  await expect(failed).rejects.toThrow(
    /waited for a line of stdout like \/\^ready\$\/[\s\S]*end: 7[\s\S]*almost[\s\S]*because/,
  );
  expect(await outcome(child)).toEqual({ code: 7, signal: null, stdout: 'almost\n', stderr: 'because\n' });
  expect(written(child)).toEqual({ stdout: 'almost\n', stderr: 'because\n' });
});

it('what is not so in time fails with its name and with what was so', async () => {
  let count = 0;
  await expect(until('a million', () => ++count > 1e6, { within: 50, instead: () => `${count > 1}` })).rejects.toThrow(
    /^waited 0\.1 s for a million; instead came:\ntrue$/,
  );
  const after = count;
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(count).toBe(after);
  await expect(until('a file', () => Promise.reject(new Error('no folder')))).rejects.toThrow('no folder');
  await expect(settled('an event', new Promise(() => undefined), { within: 20 })).rejects.toThrow(/an event/);
});

it('a test and its processes have a home and a folder for temporary files that are not those of the user', async () => {
  const child = node('console.log(require("node:os").homedir(), require("node:os").tmpdir())');
  expect((await outcome(child)).stdout).toBe(`${homedir()} ${tmpdir()}\n`);
  expect([homedir(), tmpdir()]).toEqual([expect.stringContaining(runFolder()), expect.stringContaining(runFolder())]);
});

it('the processes of a test end, with those of their group', async () => {
  const child = startChild('sh', ['-c', 'sleep 600 & echo $!; wait'], { detached: true });
  const [pid] = await lineOf(child, /^\d+$/);
  await endChildren();
  expect(child.signalCode).toBe('SIGKILL');
  await until('the end of its child', () => !existsSync(`/proc/${pid}`));
});
