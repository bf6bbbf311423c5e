// Network drives, by imitation: see network-drive.mjs.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Ended, outcome, startChild } from '../child.js';
import { program, typedInTurn } from '../cli/started.js';
import { folder, products } from '../cli/typed.js';

const preload = new URL('network-drive.mjs', import.meta.url).href;

function typed(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const child = startChild(process.execPath, ['--import', preload, program, ...args], {
    cwd,
    env: { ...process.env, ...env },
  });
  child.stdin?.end();
  return outcome(child);
}

describe.skipIf(process.platform !== 'linux')('a network drive', () => {
  it('that refreshes the times of a file while it is read has not changed the file', async () => {
    // Small files are read in the main thread, large ones in a thread of their own.
    const wide = Array.from({ length: 1100 }, (_, i) => `S-${i},EUR,${'x'.repeat(4000)}\n`);
    for (const [rows, text] of [
      [3, products(3)],
      [1100, `sku,currency,note\n${wide.join('')}`],
    ] as const) {
      const cwd = folder({ 'feed.csv': text });
      const told = await typed(cwd, ['products', 'feed.csv', '-n'], { REFRESHED: join(cwd, 'feed.csv') });
      expect(told).toMatchObject({ code: 0, stdout: expect.stringContaining(`${rows.toLocaleString('en')} created`) });
    }
  });

  it('is told by doctor, and a catalog there can be used', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    // A backup may be kept there.
    const commands = [
      ['products', 'feed.csv'],
      ['backup', 'b.db'],
      ['restore', 'b.db', '--db', 'new.db'],
    ];
    const env = { ...process.env, NODE_OPTIONS: `--import ${preload}` };
    expect((await typedInTurn(cwd, commands, { env })).map(({ code }) => code)).toEqual([0, 0, 0]);
    const { code, stdout } = await typed(cwd, ['doctor']);
    expect(code).toBe(0);
    expect(stdout).toContain('network drive (SMB)');
  });

  it('is named as the cause where reading or writing fails', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    const told = await typed(cwd, ['products', 'feed.csv'], { IO_ERROR: '1' });
    expect(told).toMatchObject({ code: 7, stderr: expect.stringMatching(/SQLITE_IOERR_LOCK.*network drive \(SMB\)/) });
  });

  it('without shared memory holds no catalog', async () => {
    const cwd = folder({ 'feed.csv': products(3) });
    const told = await typed(cwd, ['products', 'feed.csv'], { NO_WAL: '1' });
    expect(told).toMatchObject({ code: 7, stderr: expect.stringContaining('cannot keep a write-ahead log') });
  });
});
