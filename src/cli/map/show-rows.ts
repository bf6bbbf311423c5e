// `map show`: rows of a file, the items that a mapping makes of them, and the steps that made each field.
import type { Entry } from '../../core/entry.js';
import { ellipsize, sanitizeJson, sanitizeText } from '../../core/text/sanitize.js';
import type { MappingSection } from '../../source/mapping/mapping.js';
import { mappingTrace, type TracedItem } from '../../source/mapping/mapping-trace.js';
import { openFile } from '../../source/open-file.js';
import { wrapText } from '../help-layout.js';
import type { Job } from '../import/import-job.js';
import { runJobs } from '../import/mapping-jobs.js';
import { sourceOptions } from '../import/options/import-options.js';
import { outputWidth } from '../output-width.js';

interface ShowRequest {
  readonly file: string;
  readonly map: string;
  /** Maximum items of each section. */
  readonly limit: number;
  readonly output: 'table' | 'json' | 'ndjson';
}

/** An item with what made it. */
interface ShownItem {
  readonly to: string;
  readonly lines: readonly number[];
  readonly rows: readonly unknown[];
  readonly item: unknown;
  readonly problem: { readonly field: string; readonly code: string; readonly reason: string } | null;
  /** Each with its field, its place in the mapping file, and what it gave. */
  readonly steps: readonly {
    readonly field: string;
    readonly place: string;
    readonly step: string;
    readonly value: unknown;
  }[];
}

export async function showRows(
  { file, map, limit, output }: ShowRequest,
  { env, stdout }: NodeJS.Process,
): Promise<void> {
  const { jobs } = await runJobs(file, { map }, false);
  const shown: ShownItem[] = [];
  for (const job of jobs) shown.push(...(await itemsOf(job, limit)));
  if (output === 'json') stdout.write(`${sanitizeJson(JSON.stringify(shown, undefined, 2))}\n`);
  else if (output === 'ndjson') stdout.write(shown.map((one) => `${sanitizeJson(JSON.stringify(one))}\n`).join(''));
  else {
    const width = outputWidth({ env, stdout }) ?? Number.POSITIVE_INFINITY;
    stdout.write(shown.map((one) => `${wrapText(blockOf(one).join('\n'), width, 4)}\n\n`).join(''));
  }
}

/** The first items of a section, and the rows among them that could not be read. */
async function itemsOf({ file, mapped, resource }: Job, limit: number): Promise<ShownItem[]> {
  if (mapped === undefined) return [];
  const trace = mappingTrace();
  const { fields, key, command } = resource;
  const source = await openFile(fields, key, sourceOptions(file, {}, { ...mapped, trace }));
  const unread: TracedItem[] = [];
  try {
    for await (const { entries, lines } of source.chunks) {
      entries.forEach((entry, i) => {
        const line = lines[i] ?? 0;
        if (entry.kind === 'unreadable' && !trace.items.some((made) => made.lines.includes(line)))
          unread.push({ entry, lines: [line], records: [], steps: [] });
      });
      if (trace.items.length + unread.length >= limit) break;
    }
  } finally {
    await source.close();
  }
  return [...trace.items, ...unread]
    .sort((a, b) => (a.lines[0] ?? 0) - (b.lines[0] ?? 0))
    .slice(0, limit)
    .map((made) => shownItem(made, command, mapped));
}

function shownItem(
  { entry, lines, records, steps }: TracedItem,
  to: string,
  { place: at, section }: MappingSection,
): ShownItem {
  const within = `${at}.fields.`;
  const names = Object.keys(section.fields);
  return {
    ...{
      to,
      lines,
      rows: records,
      item: entry.kind === 'raw' ? entry.item : null,
      problem: problemOf(entry),
    },
    steps: steps
      .filter(({ place }) => place.startsWith(within))
      .map(({ place, word, value }) => {
        const path = place.slice(within.length);
        const field =
          names.find((name) => path === name || (/^[.[]/.test(path.slice(name.length)) && path.startsWith(name))) ??
          path;
        return { field, place: place.replace(/^the mapping\./, ''), step: word, value };
      }),
  };
}

function problemOf(entry: Entry): ShownItem['problem'] {
  if (entry.kind !== 'unreadable') return null;
  const { field, code, message } = entry.problem;
  return { field, code, reason: message };
}

/** Maximum characters of a value in the table. */
const longest = 60;

const shownValue = (value: unknown): string =>
  ellipsize(sanitizeText(typeof value === 'string' ? value : JSON.stringify(value)), longest);

/** An item for people: its rows, then each field with the steps that made it. */
function blockOf({ to, lines, rows, item, problem, steps }: ShownItem): string[] {
  const cells = rows.flatMap((row) => Object.entries(Object(row))).filter(([, cell]) => cell !== '');
  const made = Object.entries(Object(item)).filter(([, value]) => value !== undefined);
  const fields = [...new Set([...made.map(([field]) => field), ...steps.map(({ field }) => field)])];
  return [
    `${to}, line ${lines.join(', ')}`,
    ...cells.map(([column, cell]) => `  ${sanitizeText(column)}: ${shownValue(cell)}`),
    ...(problem === null ? [] : [`  refused: ${problem.code}: ${sanitizeText(problem.reason)}`]),
    ...fields.map((field) => {
      const chain = steps
        .filter((one) => one.field === field)
        .map(({ step, value }) => `${sanitizeText(step)}: ${shownValue(value)}`);
      const value = made.find(([name]) => name === field)?.[1];
      const given = problem === null ? ` = ${value === undefined ? 'not sent' : shownValue(value)}` : '';
      const from = chain.length === 0 ? '' : `   (${chain.join(' > ')})`;
      return `  > ${sanitizeText(field)}${given}${from}`;
    }),
  ];
}
