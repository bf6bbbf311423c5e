// Some seconds of what is generated against a server; an hour of it is test/long/hostile.long.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { seedOf } from '../random.js';
import { allowed } from '../tier.js';
import { attack } from './hostile-load.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-hostile-'));
afterAll(() => rmSync(folder, { recursive: true }));

it.runIf(process.platform === 'linux')(
  'others wait little, in little memory, whatever is asked and posted',
  async () => {
    const outcome = await attack(folder, { milliseconds: 5000, clients: 4, seed: seedOf('HOSTILE_SEED') });
    const { waits, longestTurn, mebibytes, statuses, attacks, log } = outcome;
    expect(attacks.size).toBeGreaterThan(4);
    expect(statuses.get(200)).toBeGreaterThan(3);
    expect(log).not.toMatch(/"status":500|import thread/);
    expect(mebibytes).toBeLessThan(600);
    expect(longestTurn).toBeLessThan(allowed(100));
    expect(waits.at(-1)).toBeLessThan(allowed(100));
  },
);
