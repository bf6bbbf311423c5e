// The demo shop, as a newcomer meets it: what fixtures/README.md says of it is what the program reports.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it } from 'vitest';
import { delivery, demo, folder, typed } from './cli/typed.js';

interface Line {
  readonly type?: string;
  readonly file?: string;
  readonly line?: number;
  readonly action?: string;
  readonly external_id?: string;
  readonly code?: string | null;
  readonly notice?: readonly { readonly code: string }[];
}

/** The rows of the README's table of refusals: file, line, record, code. */
function documented(): string[] {
  const readme = readFileSync(new URL('../fixtures/README.md', import.meta.url), 'utf8');
  return [...readme.matchAll(/^\| `([\w.-]+)`, (\d+) \| (.+?) \| `(\w+)` \|/gm)].map((row) => row.slice(1).join(' '));
}

/** The delivery as it should have been. */
const mended = `${delivery}-mended`;

async function run(cwd: string, from = demo): Promise<{ code: number | null; lines: Line[] }> {
  const { code, stdout } = await typed(cwd, [
    'run',
    from,
    '--db',
    'shop.db',
    '--output',
    'ndjson',
    '--report',
    'all',
    '--quiet',
  ]);
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as Line);
  return { code, lines: lines.filter(({ action }) => action !== undefined) };
}

const refusals = (lines: readonly Line[]) =>
  lines
    .filter(({ action }) => action === 'refused')
    .map(({ file, line, external_id: key, code }) => `${basename(file ?? '')} ${line} ${key} ${code}`);

describe('the demo shop', () => {
  it('is imported whole, and is unchanged the second time', async () => {
    const cwd = folder();
    const first = await run(cwd);
    expect([first.code, new Set(first.lines.map(({ action }) => action))]).toEqual([0, new Set(['created'])]);
    const second = await run(cwd);
    expect([second.code, new Set(second.lines.map(({ action }) => action))]).toEqual([0, new Set(['unchanged'])]);
  });

  it('refuses of a delivery with mistakes what the page says, and accepts all of it once it is mended', async () => {
    const cwd = folder();
    await run(cwd);
    const wrong = await run(cwd, delivery);
    expect([wrong.code, documented().length]).toEqual([3, 10]);
    expect(refusals(wrong.lines).sort()).toEqual(documented().sort());
    const right = await run(cwd, mended);
    expect([right.code, refusals(right.lines)]).toEqual([0, []]);
    expect(right.lines.map(({ external_id: key }) => key)).toEqual(wrong.lines.map(({ external_id: key }) => key));
  });

  it('adds notices to two accepted items', async () => {
    const { lines } = await run(folder());
    const told = lines.filter(({ action, notice }) => action !== 'refused' && notice?.length);
    expect(told.map(({ external_id: key, notice }) => [key, notice?.map(({ code }) => code)])).toEqual([
      ['AL-BOOK13-32-YT', ['price_ignored']],
      ['R-0009', ['product_unknown']],
    ]);
  });
});
