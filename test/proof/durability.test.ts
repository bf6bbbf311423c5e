// P1 by the order of system calls: a kill does not show pages that were never synced, so the trace of the program is
// read. Each time lines go to stdout, everything that was written to the write-ahead log before must be synced.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { execFileSync } from '../child.js';
import { type Ended, runProgram } from './program.js';
import { writeShopFolder } from './shop-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-sync-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a trace shows of the log and of reported lines. */
interface Order {
  /** Writes to the log, syncs of it, and writes of report lines. */
  written: number;
  synced: number;
  told: number;
  /** Lines reported while the log held unsynced data. */
  early: string[];
  /** Writes to the log after the last line was reported: without a history there is nothing left to write then. */
  late: number;
  /** Whether the folder was synced before the first line was reported: else a new catalog is not found again. */
  found: boolean;
}

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function trace(
  db: string,
  tamper?: string,
  history = ['--no-history'],
): Promise<{ readonly ended: Ended; readonly order: Order }> {
  const shop = join(folder, 'shop');
  writeShopFolder(shop, 400);
  const file = `${db}.trace`;
  const calls = 'trace=fsync,fdatasync,write,writev,pwrite64,pwritev';
  const ended = await runProgram(['run', shop, '--db', db, '--output', 'ndjson', '--report', 'all', ...history], {
    tamper,
    // Not -f: the thread that writes the catalog is the one that reports the lines.
    under: ['strace', '-y', '-s', '200', '-e', calls, '-o', file],
  });
  return { ended, order: orderIn(readFileSync(file, 'utf8')) };
}

function orderIn(text: string): Order {
  const order: Order = { written: 0, synced: 0, told: 0, early: [], late: 0, found: false };
  let dirty = false;
  for (const line of text.split('\n')) {
    if (/\bpwrite(64|v)\(\d+<[^>]*-wal>/.test(line)) {
      order.written++;
      order.late++;
      dirty = true;
    } else if (/\bf(data)?sync\(\d+<[^>]*-wal>\) += 0/.test(line)) {
      order.synced++;
      dirty = false;
    } else if (order.told === 0 && line.includes(`sync(`) && line.includes(`<${folder}>`)) {
      order.found = true;
    } else if (/\bwritev?\(1<.*\\"action\\":/.test(line)) {
      order.told++;
      order.late = 0;
      if (dirty) order.early.push(line);
    }
  }
  return order;
}

describe.skipIf(!canTrace())('what is reported is on the disk (needs strace)', () => {
  it('P1: no line is reported before the log that holds its transaction was synced', async () => {
    const { ended, order } = await trace(join(folder, 'synced.db'));
    expect(ended.code).toBe(3);
    expect(order.told).toBeGreaterThan(7);
    expect(order.synced).toBeGreaterThan(7);
    expect(order.early).toEqual([]);
    expect(order.late).toBe(0);
    expect(order.found).toBe(true);
  });

  it('P1: nor where the run is kept in the history, whose end is written behind the last line', async () => {
    const { ended, order } = await trace(join(folder, 'history.db'), undefined, []);
    expect(ended.code).toBe(3);
    expect(order.told).toBeGreaterThan(7);
    expect(order.early).toEqual([]);
    // A run that takes long writes that it is alive, too; a transaction of items takes thirty writes and more.
    expect(order.late).toBeLessThan(20);
  });

  it.each(['synchronous-off', 'tell-before-commit'])(
    'negative control: with %s lines are reported too early',
    async (tamper) => {
      const { order } = await trace(join(folder, `${tamper}.db`), tamper);
      expect(order.written).toBeGreaterThan(0);
      expect(order.early.length + order.late).toBeGreaterThan(0);
    },
  );
});
