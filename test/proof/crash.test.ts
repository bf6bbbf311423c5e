// P1 to P4 by killing the import while it works, and the harness itself by taking a safety out: then it must complain.
// Seeds are printed; CRASH_SEED=n tries the same again.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFrom, seedOf } from '../random.js';
import { repetitions } from '../tier.js';
import {
  checkAfterCrash,
  crashInTwoLanes,
  crashManyTimes,
  failpoints,
  type Ground,
  importDisturbed,
  prepareGround,
  randomFailpoint,
  randomKill,
} from './crash.js';

const kills = repetitions('CRASH_KILLS', { fast: 4, moderate: 4, full: 200 });
/** Kills at each failpoint. */
const killsAtPoint = repetitions('FAILPOINT_KILLS', { fast: 1, moderate: 1, full: 3 });
const items = repetitions('CRASH_ITEMS', { fast: 300, moderate: 300, full: 600 });
const seed = seedOf('CRASH_SEED');

const folder = mkdtempSync(join(tmpdir(), 'catalog-crash-'));
afterAll(() => rmSync(folder, { recursive: true }));

let ground: Ground;
beforeAll(async () => {
  console.log(`crash: CRASH_SEED=${seed}`);
  ground = await prepareGround(folder, items);
});

describe('a killed import', () => {
  it(`P1 P2 P3 P4: after ${kills} kills nothing acknowledged is missing, nothing is half, running again ends the same`, async () => {
    const tally = await crashInTwoLanes(ground, kills, seed, (random) => () => randomKill(ground, random));
    console.log(`crash: ${JSON.stringify(tally)}`);
    expect(tally.crashes).toBeGreaterThanOrEqual(kills);
    // Otherwise the kills came too early or too late to prove anything.
    expect(tally.inside).toBeGreaterThan(kills / 3);
  });

  it.each(failpoints)('P1 P2 P3 P4: the same where it dies %s', async (point) => {
    const random = randomFrom(seed);
    const tally = await crashManyTimes(ground, killsAtPoint, () => randomFailpoint(point, random));
    expect(tally.crashes).toBe(killsAtPoint);
  });
});

describe('negative controls', () => {
  it('reported before the commit: the harness finds acknowledged lines missing', async () => {
    const db = join(folder, 'told-early.db');
    const ended = await importDisturbed(ground, db, { tamper: 'tell-before-commit:"SKU-0"' });
    expect(ended.signal).toBe('SIGKILL');
    expect(() => checkAfterCrash(ground, db, ended, new Map(), true)).toThrow('an acknowledged line is missing');
  });

  it('every statement committed by itself: the harness finds half an item', async () => {
    const db = join(folder, 'no-transaction.db');
    // Tables are saved one after the other: that of characteristics is there without the values.
    const how = { tamper: 'no-transaction', failpoint: 'while-saving:10' };
    const ended = await importDisturbed(ground, db, how);
    expect(ended.signal).toBe('SIGKILL');
    expect(() => checkAfterCrash(ground, db, ended, new Map(), true)).toThrow('half an item');
  });
});
