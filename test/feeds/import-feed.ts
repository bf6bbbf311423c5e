// Imports one feed into a catalog of its own, as a person would type it, and counts the results.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { feedFolder } from '../corpora.js';
import type { Feed } from './feeds.js';

export interface Counted {
  readonly code: number | null;
  readonly rows: number;
  readonly created: Readonly<Record<string, number>>;
  readonly updated: number;
  readonly refused: Readonly<Record<string, number>>;
  readonly unchangedAgain: number;
  readonly seconds: number;
  readonly stderr: string;
}

interface Line {
  readonly resource: string;
  readonly action: string;
  readonly code: string | null;
}

const words: Readonly<Record<string, string>> = {
  attribute: 'characteristics',
  category: 'categories',
  product_group: 'groups',
  product: 'products',
  product_review: 'reviews',
  customer: 'customers',
};

/** Types a command in a folder. */
type Type = (
  cwd: string,
  args: readonly string[],
) => Promise<{ readonly code: number | null; readonly stderr: string }>;

/** Runs a feed through its mapping into a fresh catalog. @param type as a process or within this one */
export async function importFeed({ map, place }: Feed, type: Type): Promise<Counted> {
  const cwd = mkdtempSync(join(tmpdir(), 'feed-'));
  try {
    const mapping = fileURLToPath(new URL(`../../fixtures/maps/${map}.yaml`, import.meta.url));
    const begun = performance.now();
    const run = ['run', join(feedFolder, place), '--map', mapping, '--report', 'none', '--report-file', 'report.csv'];
    const { code, stderr } = await type(cwd, run);
    const seconds = (performance.now() - begun) / 1000;
    const lines = linesOf(readFileSync(join(cwd, 'report.csv'), 'utf8'));
    const of = (action: string) => lines.filter((line) => line.action === action);
    return {
      code,
      rows: lines.length,
      created: tally(of('created').map(({ resource }) => words[resource] ?? resource)),
      updated: of('updated').length,
      refused: tally(of('refused').map((line) => line.code ?? '')),
      unchangedAgain: of('unchanged').length,
      seconds,
      stderr,
    };
  } finally {
    rmSync(cwd, { recursive: true, force: true });
  }
}

/** The lines of a report file; keys with commas or quotes stand behind what is looked at here, or are quoted. */
function linesOf(report: string): Line[] {
  const rows = report.split('\n').slice(1);
  return rows.flatMap((row) => {
    const match =
      /^(?:"[^"]*"|[^",]*),(\w+),\d+,\d+,(?:"(?:[^"]|"")*"|[^",]*),(created|updated|unchanged|refused),[^,]*,(\w*),/.exec(
        row,
      );
    return match === null ? [] : [{ resource: match[1] ?? '', action: match[2] ?? '', code: match[3] ?? null }];
  });
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
