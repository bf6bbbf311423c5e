import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf, outcome } from '../child.js';
import { start, typedAsProcess } from '../cli/started.js';
import { folder, products, typed } from '../cli/typed.js';

/** Signals and streams as Windows has them, by imitation: see windows-signals.mjs. */
const NODE_OPTIONS = `--import ${new URL('./windows-signals.mjs', import.meta.url).href}`;

async function interrupted(signals: string) {
  const cwd = folder({ 'feed.csv': products(60_000) });
  const child = start(cwd, ['products', 'feed.csv', '--output', 'ndjson', '--report-file', 'r.csv'], {
    NODE_OPTIONS,
    IMITATED_SIGNALS: signals,
  });
  child.stdin?.end();
  await lineOf(child, /./);
  child.kill('SIGUSR2');
  return { cwd, ...(await outcome(child)) };
}

describe('signals of Windows', () => {
  it('Ctrl-Break ends an import like SIGTERM', async () => {
    const { code, stderr, stdout } = await interrupted('SIGBREAK');
    expect([code, stderr]).toEqual([143, expect.stringContaining('Run the same command again')]);
    expect(stdout.trim().split('\n').at(-1)).toContain('"stopped":"interrupted"');
  });

  it('a second Ctrl-C ends it at once, with 130, and leaves no temporary file', async () => {
    const { code, cwd } = await interrupted('SIGINT SIGINT');
    expect(code).toBe(130);
    expect(readdirSync(cwd).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect((await typed(cwd, ['info', '--db', join(cwd, 'catalog.db')])).code).toBe(0);
  });

  it('Ctrl-Break ends a server in order', async () => {
    const child = start(folder(), ['serve', '--port', '0'], { NODE_OPTIONS, IMITATED_SIGNALS: 'SIGBREAK' });
    await lineOf(child, /listening on/);
    child.kill('SIGUSR2');
    expect(await outcome(child)).toMatchObject({ code: 0 });
  });
});

it('a reader that has left is no failure, also where that is EOF', async () => {
  const cwd = folder({ 'feed.csv': products(3) });
  const args = ['products', 'feed.csv', '--output', 'ndjson'];
  expect(await typedAsProcess(cwd, args, { env: { NODE_OPTIONS, READER_LEFT: '1' } })).toMatchObject({
    code: 0,
    stderr: expect.not.stringContaining('could not be written'),
  });
});
