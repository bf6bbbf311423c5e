// A disk that fails: errors of the system are injected into writes and syncs of the catalog, one after the other. The
// import ends with 7 and names the file; reported lines are stored; the same command again completes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isFull } from '../tier.js';
import { checkAfterCrash, checkResumed, type Ground, importArgs, prepareGround } from './crash.js';
import { whyNoTrace } from './power-cut.js';
import { runProgram } from './program.js';

const reason = whyNoTrace();
const folder = mkdtempSync(join(tmpdir(), 'catalog-io-'));
let ground: Ground;
beforeAll(async () => {
  if (reason === undefined) ground = await prepareGround(folder, isFull ? 400 : 200);
});
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;

/** Imports with an error at the nth call; what was wrong afterwards, undefined where nothing was. */
async function importWith(fault: string, nth: number, tamper?: string): Promise<string | undefined> {
  const db = join(folder, `io-${made++}.db`);
  const under = [
    'strace',
    '-o',
    '/dev/null',
    '-e',
    `trace=${fault.split(':')[0]}`,
    '-e',
    `inject=${fault}:when=${nth}`,
  ];
  const ended = await runProgram(importArgs(ground.shop, db), { tamper, under });
  try {
    // An error in closing the file occurs after everything was reported.
    if (![3, 7].includes(ended.code ?? -1)) throw new Error(`it ended with ${ended.code}: ${ended.stderr}`);
    if (ended.code === 7 && !ended.stderr.includes(db)) throw new Error(`no file is named: ${ended.stderr}`);
    const known = new Map<string, string>();
    checkAfterCrash(ground, db, ended, known, true);
    await checkResumed(ground, db, known);
    return undefined;
  } catch (error) {
    return `${fault} at ${nth}: ${error}`;
  }
}

const faults = [
  ['pwrite64:error=EIO', isFull ? [1, 6, 20, 60] : [20]],
  ['pwrite64:error=ENOSPC', isFull ? [4, 30, 90] : [30]],
  ['fdatasync,fsync:error=EIO', isFull ? [2, 5, 8, 11] : [2]],
] as const;

describe.skipIf(reason !== undefined)(`a disk that fails${reason === undefined ? '' : ` (${reason})`}`, () => {
  it.each(faults)(
    '%s at the calls %j: exit 7, nothing told is missing, running again ends right',
    async (fault, calls) => {
      const wrong: unknown[] = [];
      for (const nth of calls) wrong.push(await importWith(fault, nth));
      expect(wrong.filter((one) => one !== undefined)).toEqual([]);
    },
  );

  it('negative control: what is reported before the commit is missing', async () => {
    let wrong: string | undefined;
    // Which sync belongs to a transaction with reported lines depends on the speed of the machine.
    for (let nth = 8; nth <= 40 && wrong === undefined; nth++)
      wrong = await importWith('fdatasync,fsync:error=EIO', nth, 'tell-before-commit');
    expect(wrong).toBeDefined();
  });
});
