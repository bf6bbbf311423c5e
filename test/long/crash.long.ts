// 2,000 kills of an import of 20,000 mixed items, and 50 at each failpoint. CRASH_SEED=n repeats a run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  crashInTwoLanes,
  failpoints,
  type Ground,
  prepareGround,
  randomFailpoint,
  randomKill,
} from '../proof/crash.js';
import { seedOf } from '../random.js';

/** CRASH_KILLS=n makes fewer of them, and CRASH_ITEMS=n imports fewer items, where there are no hours. */
const kills = Number(process.env['CRASH_KILLS'] ?? 2000);
const items = Number(process.env['CRASH_ITEMS'] ?? 20_000);
const seed = seedOf('CRASH_SEED');
const folder = mkdtempSync(join(tmpdir(), 'catalog-crash-'));
afterAll(() => rmSync(folder, { recursive: true }));

let ground: Ground;
beforeAll(async () => {
  console.log(`crash: CRASH_SEED=${seed}`);
  ground = await prepareGround(folder, items);
});

describe(`a killed import of ${items} items`, () => {
  it('P1 P2 P3 P4: after all kills nothing acknowledged is missing, nothing is half, running again ends the same', async () => {
    const tally = await crashInTwoLanes(ground, kills, seed, (random) => () => randomKill(ground, random));
    console.log(`crash: ${JSON.stringify(tally)}`);
    expect(tally.crashes).toBeGreaterThanOrEqual(kills);
    expect(tally.inside).toBeGreaterThan(kills / 2);
  });

  it.each(failpoints)('P1 P2 P3 P4: the same where it dies %s, 50 times', async (point) => {
    const tally = await crashInTwoLanes(ground, 50, seed, (random) => () => randomFailpoint(point, random));
    expect(tally.crashes).toBeGreaterThanOrEqual(50);
  });
});
