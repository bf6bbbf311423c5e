// Tests start processes by `child.ts` and wait by `until.ts` (or `expect.poll`), since these have deadlines, say what came
// instead, and leave nothing behind.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

/** What is no test but starts servers for all of them, or runs beside no other test and is looked at by whoever starts it. */
const apart = /^(postgres|nodes|bench|long|platforms\/preloads)\//;

const forbidden = [
  {
    why: 'processes are started by startChild, spawnSync, execFileSync and execFile of child.ts',
    pattern: /^import (?!type )[^;]*from '(node:)?child_process'/m,
    but: ['child.ts'],
  },
  {
    why: 'what a process or server writes is waited for by lines or to its end: a chunk is neither',
    pattern: /\b(child|std(out|err))\??\.(on|once)\('data'|\bonce\(\w+, 'data'/,
    // It counts complete lines for whoever kills at one of them.
    but: ['proof/program.ts'],
  },
  {
    why: 'a wait without the deadline of its test',
    pattern: /\bvi\.wait(For|Until)\(|\bwhile \(true\)/,
    but: [],
  },
  {
    why: 'a machine may be busy: only `npm run test:figures` holds what takes time to its figure, by allowed() of tier.ts',
    pattern: /\bnow\(\) - \w+\)\.toBeLessThan(OrEqual)?\([\d_]+\)/,
    but: [],
  },
  { why: 'what fails by chance is mended at its cause', pattern: /\bretry: [1-9]/, but: [] },
];

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !apart.test(path) && path !== 'waits.test.ts')
  .map((path) => ({ path, text: readFileSync(join(import.meta.dirname, path), 'utf8') }));

describe('no test', () => {
  it.each(forbidden)('$pattern: $why', ({ pattern, but }) => {
    expect(files.filter(({ text }) => pattern.test(text)).map(({ path }) => path)).toEqual(but);
  });
});
