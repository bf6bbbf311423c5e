import { expect, it } from 'vitest';
import { execFile } from './child.js';

it.skipIf(process.platform !== 'linux')(
  'the peak of a process is its own, and not that of who started it',
  async () => {
    const large = Buffer.alloc(400 * 2 ** 20, 1);
    const ask = `import { peakMemory } from ${JSON.stringify(new URL('peak-memory.mjs', import.meta.url).href)};
    console.log(peakMemory());`;
    const { stdout } = await execFile(process.execPath, ['--input-type=module', '--eval', ask]);
    expect(Number(stdout)).toBeGreaterThan(10 * 2 ** 10);
    expect(Number(stdout)).toBeLessThan(150 * 2 ** 10);
    expect(large.at(-1)).toBe(1);
  },
);
