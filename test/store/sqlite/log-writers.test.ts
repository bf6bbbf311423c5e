// The log of a catalog is compared with its file while other processes write both.
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { refuseForeignLog } from '../../../src/store/sqlite/file/log-anchor.js';
import { lineOf, outcome, startChild, written } from '../../child.js';
import { until } from '../../until.js';
import { newDatabase } from '../given.js';

describe('the log beside a catalog', () => {
  it('is never refused while another process writes, checkpoints and restarts it', async () => {
    const { file, database } = await newDatabase('busy.db');
    database.close();
    const program = fileURLToPath(new URL('./write-until-told.ts', import.meta.url));
    const writing = startChild(process.execPath, ['--import', 'tsx', program, file]);
    await lineOf(writing, /^ready$/);
    const end = performance.now() + 1_500;
    let looks = 0;
    const hasLookedEnough = () => {
      for (let i = 0; i < 50; i++) refuseForeignLog(file);
      looks += 50;
      return looks >= 100 && /^enough$/m.test(written(writing).stdout) && performance.now() > end;
    };
    await until('many restarts of the log', hasLookedEnough, { instead: () => written(writing) });
    writing.stdin?.end();
    expect(await outcome(writing)).toMatchObject({ code: 0, stderr: '' });
  });
});
