// The table of figures: told line by line while it is measured, printed at the end, and written into the manual.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { Run } from './timing.js';

const columns = ['work', 'time', 'compared with', 'ratio', 'aim'] as const;
const lines: (readonly string[])[] = [];

/** Adds a line. */
export function tell(work: string, ours: string, peer: string, ratio: string, aim: string): void {
  lines.push([work, ours, peer, ratio, aim]);
  process.stderr.write(`${work}: ${ours}, ${peer}: ${ratio} ${aim}\n`);
}

export const seconds = (run: Run | undefined) => (run === undefined ? 'missing' : `${run.seconds.toFixed(2)} s`);
export const processor = (run: Run) => `${run.processor.toFixed(2)} s`;
export const times = (ratio: number | undefined) => (ratio === undefined ? '' : `${ratio.toFixed(2)} x`);
export const memory = (run: Run) => `${run.megabytes.toFixed(0)} MiB`;

/** The machine, and the table so far. */
export function tableText(runs: number): string {
  const machine = `${cpus().length} x ${cpus()[0]?.model.trim()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB`;
  const system = `${process.platform} ${process.arch}, Node.js ${process.version}`;
  const table = [columns, columns.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`);
  return `Measured on ${machine}, ${system}; medians of ${runs} runs by turns.\n\n${table.join('\n')}\n`;
}

const page = fileURLToPath(new URL('../../src/manual/figures.md', import.meta.url));

/** Puts the table in the place of the one under the heading `## Imports` of the manual's page. */
export function writeIntoManual(text: string): void {
  const former = readFileSync(page, 'utf8');
  const written = former.replace(/(?<=^## Imports\n\n)[\s\S]*?(?=\n## )/m, () => text);
  writeFileSync(page, written);
}
