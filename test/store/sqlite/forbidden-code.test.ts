// Where code from strings is forbidden, rows are kept as elsewhere.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { execFile } from '../../child.js';
import { dumpOf } from '../../proof/dump.js';
import { runHere } from '../../proof/program.js';
import { folder } from '../given.js';

describe('where code from strings is forbidden', () => {
  const program = join(import.meta.dirname, '../../../bin/catalog-import.js');
  const demo = join(import.meta.dirname, '../../../fixtures/demo');

  it('the demo folder is imported as elsewhere, and is unchanged the second time', async () => {
    const run = async (db: string, ...flags: readonly string[]): Promise<string> => {
      const args = [...flags, program, 'run', demo, '--db', db, '--output', 'ndjson', '--report', 'all', '--quiet'];
      const ended = await execFile(process.execPath, args).catch((error) => error as { stdout: string });
      return ended.stdout;
    };
    const [plain, usual] = [join(folder, 'plain.db'), join(folder, 'usual.db')];
    const forbidden = '--disallow-code-generation-from-strings';
    const first = await run(plain, forbidden);
    const { lines } = await runHere(['run', demo, '--db', usual, '--output', 'ndjson', '--report', 'all', '--quiet']);
    expect(first.split('\n').slice(0, -1)).toHaveLength(lines.length);
    expect(dumpOf(plain).records).toEqual(dumpOf(usual).records);
    const second = await run(plain, forbidden);
    expect(second).toContain('"unchanged"');
    expect(second).not.toContain('"action":"created"');
  });
});
