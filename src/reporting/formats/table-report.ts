// A report for people: the totals of a file, the first notable lines, and the rest by code. Its memory is bounded.
import { basename } from 'node:path';
import { refusals } from '../../core/diagnostics/refusal-codes.js';
import type { Line } from '../../core/import-report.js';
import { counted } from '../../core/text/counted.js';
import { groupDigits, sanitizeText } from '../../core/text/sanitize.js';
import type { BatchResult, ImportedFile, ImportObserver, Outcome } from '../../importing/observer.js';
import { breakWideWords, cutToWidth, displayWidth } from './display-width.js';
import { isOfNewFields, said } from './line-remarks.js';
import { type RefusalTable, refusalTable } from './refusal-table.js';
import { type Selection, selects, type Write } from './report-form.js';
import { naturalWidths, textTable, wrapped, wrappedRow } from './text-table.js';

/** Lines shown one by one. */
const shownAtMost = 20;
/** Different notices that are shown; the others are counted. */
const noticesAtMost = 5;

/** The width of the reader's window, and whether it supports colour. */
export interface Look {
  readonly width: number;
  readonly colour: boolean;
  /** The file that gets every line, if there is one. */
  readonly reportFile?: string | undefined;
}

interface TableLine {
  /** The line in the file, with the number of the record if several share a line. */
  readonly place: string;
  readonly line: Line;
}

interface Tally {
  count: number;
  readonly first: string;
}

/** The state of a file until its end. */
interface Kept {
  readonly file: ImportedFile;
  readonly rows: TableLine[];
  /** All selected lines, shown or not. */
  chosen: number;
  readonly refused: Map<string, number>;
  readonly table: RefusalTable;
  readonly notices: Map<string, Tally>;
}

/**
 * The report on a terminal, printed at the end of each file; for several files with a table of totals at the very end.
 */
export function tableReport(
  write: Write,
  options: { selection: Selection; many: boolean; look: Look },
): ImportObserver {
  const { selection, many, look } = options;
  const ended: (readonly [ImportedFile, Outcome])[] = [];
  let kept: Kept;
  let someCode: string | undefined;
  return {
    begin(file) {
      kept = { file, rows: [], chosen: 0, refused: new Map(), table: refusalTable(file), notices: new Map() };
    },
    batch: (result) => recordOutcomes(kept, result, selection),
    async finish(outcome) {
      ended.push([kept.file, outcome]);
      if (selection !== 'none') someCode ??= byFrequency(kept.refused)[0]?.[0];
      await write(`${totals(kept.file, outcome, look)}${await chosenRows(kept, look, selection)}`);
      await write(
        selection === 'none' ? '' : `${byCode(kept, look)}${noticesOf(kept, look)}${remarksOf(outcome, look)}`,
      );
      // After a report and not before the next one: messages on stderr about the next file follow the blank line.
      if (many) await write('\n');
    },
    async end(total) {
      if (many && ended.length > 0) await write(overview(ended, total, look));
      await write(hint(someCode, look));
    },
  };
}

function recordOutcomes(kept: Kept, result: BatchResult, selection: Selection): void {
  const { report, lines, followers, entries } = result;
  const { format } = kept.file.source.found;
  const isDocument = format === 'json' || format === 'xml';
  const placeOf = (i: number): string => (isDocument ? lineAndNumber(result, i) : String(lines[i] ?? 0));
  report.data.forEach((line, i) => {
    if (line.code !== null) {
      kept.refused.set(line.code, (kept.refused.get(line.code) ?? 0) + 1);
      kept.table.add(line, entries?.[i], placeOf(i));
    } else for (const notice of line.notice) if (!isOfNewFields(line, notice)) keepNotice(kept, notice, lines[i] ?? 0);
    if (!selects(selection, line) || (followers?.has(i) === true && line.code !== null)) return;
    kept.chosen++;
    if (kept.rows.length < shownAtMost) kept.rows.push({ line, place: placeOf(i) });
  });
}

/** `1 #37`: a document may be on one line. */
function lineAndNumber({ lines, numbers, offset }: BatchResult, i: number): string {
  const isShared = lines[i] === lines[i - 1] || lines[i] === lines[i + 1];
  return isShared ? `${lines[i] ?? 0} #${numbers?.[i] ?? offset + i + 1}` : String(lines[i] ?? 0);
}

function keepNotice(kept: Kept, notice: Line['notice'][number], physical: number): void {
  const tally = kept.notices.get(notice.code);
  if (tally !== undefined) tally.count++;
  else
    kept.notices.set(notice.code, {
      count: 1,
      first: `line ${physical}: ${notice.field === '' ? '' : `${notice.field}: `}${notice.message}`,
    });
}

function paint(look: Look, code: number, text: string): string {
  return look.colour ? `\u001b[${code}m${text}\u001b[0m` : text;
}
const bold = (look: Look, text: string): string => paint(look, 1, text);
const dim = (look: Look, text: string): string => paint(look, 2, text);
const red = (look: Look, text: string): string => paint(look, 31, text);
const green = (look: Look, text: string): string => paint(look, 32, text);

function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/** A text two columns in, broken between words where it is too wide. */
function indented(text: string, { width }: Look): string {
  return displayWidth(text) + 2 <= width ? `  ${text}` : `  ${wrapped(text, width - 2).replaceAll('\n', '\n  ')}`;
}

/** Two texts on a line, or below each other where they do not fit. */
function together(one: string, other: string, { width }: Look): string {
  return displayWidth(one) + 2 + displayWidth(other) <= width ? `${one}  ${other}` : `${one}\n  ${other}`;
}

function title({ resource, file }: ImportedFile, look: Look): string {
  return together(bold(look, resource.command), file === '-' ? 'standard input' : sanitizeText(file), look);
}

/** Minimum items for a meaningful rate. */
const fewest = 1000;

function totals(file: ImportedFile, { counts, seconds, stopped }: Outcome, look: Look): string {
  const rate =
    seconds > 1 && counts.total >= fewest ? `, ${groupDigits(Math.round(counts.total / seconds))} items a second` : '';
  const parts = (['created', 'updated', 'unchanged', 'refused'] as const).map((action) => {
    const shown = `${groupDigits(counts[action])} ${action}`;
    if (counts[action] === 0) return dim(look, shown);
    return action === 'refused' ? red(look, shown) : action === 'unchanged' ? shown : green(look, shown);
  });
  const dry = file.dryRun ? `  ${bold(look, 'dry run: nothing was written')}\n` : '';
  const early = stopped === undefined ? '' : `  ${red(look, 'stopped early')}; this is the report so far\n`;
  const sums = indented(`${counted(counts.total, 'items')}: ${parts.join(', ')}`, look);
  return `${title(file, look)}\n${dry}${early}${together(sums, dim(look, `(${duration(seconds)}${rate})`), look)}\n`;
}

/** The same, shortened if it repeats the line above, since a fault of the file occurs in line after line. */
function saidAfter(above: Line | undefined, line: Line): string {
  const words = said(line);
  return words !== '' && above !== undefined && above.code === line.code && said(above) === words
    ? '(the same)'
    : words;
}

async function chosenRows(kept: Kept, look: Look, selection: Selection): Promise<string> {
  if (kept.rows.length === 0) return '';
  const rows = kept.rows.map(({ place, line }, i) => ({
    place,
    key: cutToWidth(sanitizeText(line.external_id), 28),
    code: line.code ?? line.action,
    said: saidAfter(kept.rows[i - 1]?.line, line),
  }));
  const word = selection === 'refused' ? 'code' : 'action';
  const [first = 0, keys = 0, third = 0] = naturalWidths([
    ['line', 'key', word],
    ...rows.map(({ place, key, code }) => [place, key, code]),
  ]);
  const beside = look.width - first - keys - third - 8;
  // If the column for the reason would be too narrow to read, it goes below its code.
  const isNarrow = beside < 40;
  const room = isNarrow ? look.width - first - 4 : beside;
  const second = isNarrow ? Math.max(3, Math.min(keys, room - third - 2)) : keys;
  const widths = isNarrow ? [first, second, Math.max(third, room - second - 2)] : [first, second, third, room];
  const head = isNarrow ? ['line', 'key', `${word}, reason below`] : ['line', 'key', word, 'reason'];
  const lines = rows.flatMap(({ place, key, code, said: whole }): ReportCell[][] => {
    const said = breakWideWords(whole, room);
    const cells = [
      place.padStart(first),
      cutToWidth(key, second),
      Object.hasOwn(refusals, code) ? red(look, code) : code,
    ];
    if (!isNarrow) return [[...cells, said]];
    return said === '' ? [cells] : [cells, ['', { content: wrapped(said, room), colSpan: 2 }]];
  });
  const all = [head.map((cell) => dim(look, cell)), ...lines];
  return `\n${await frameless(all, widths)}\n`;
}

/** A text, or one across several columns, which is wrapped already. */
type ReportCell = string | { readonly content: string; readonly colSpan: number };

/** A table without frames, two columns in. Its cells are wrapped here: cli-table3 would cut words that are too long. */
async function frameless(lines: readonly (readonly ReportCell[])[], widths: readonly number[]): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const sides = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) =>
    ['', '-mid', '-left', '-right'].map((part) => `${side}${part}`),
  );
  const table = new Table({
    chars: Object.fromEntries([...sides, 'mid-mid', 'middle'].map((part) => [part, ''])),
    style: { 'padding-left': 2, 'padding-right': 0, head: [], border: [] },
    colWidths: widths.map((width) => width + 2),
  });
  for (const row of lines) {
    const parts = row.map((cell, i) => (typeof cell === 'string' ? { content: wrapped(cell, widths[i] ?? 0) } : cell));
    const texts = parts.map(({ content }) => content.split('\n'));
    // Each line is a row of its own: of a cell of several, cli-table3 measures every beginning, which took half a second.
    for (let at = 0; texts.some(({ length }) => at < length); at++)
      table.push(parts.map((part, i) => ({ ...part, content: texts[i]?.[at] ?? '' })));
  }
  // It pads its cells.
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n');
}

/** After the lines shown: how many more there are, and every refusal by its code. */
function byCode(kept: Kept, look: Look): string {
  const beyond = kept.chosen - kept.rows.length;
  if (beyond === 0) return '';
  const where =
    look.reportFile === undefined ? '--report-file <path> writes every line' : `every line is in ${look.reportFile}`;
  const more = `\n${indented(`… and ${groupDigits(beyond)} more; ${where}`, look)}\n`;
  const { head, rows, others } = kept.table.rows((code) => red(look, code));
  if (rows.length === 0) return more;
  const table = textTable([head.map((cell) => dim(look, cell)), ...rows], look.width - 2).replace(/^(?=.)/gm, '  ');
  return `${more}\n  Refused, by code and column:\n${table}${others > 0 ? `  and ${groupDigits(others)} other kinds\n` : ''}`;
}

/** The codes of refusals with their counts, the most frequent first. */
function byFrequency(refused: ReadonlyMap<string, number>): (readonly [code: string, count: number])[] {
  return [...refused].sort((a, b) => b[1] - a[1]);
}

/** Refers to `explain`, once, with the most frequent code of the first file that has codes. */
function hint(code: string | undefined, look: Look): string {
  if (code === undefined) return '';
  return `\n${dim(look, indented(`What it means and how to mend it: catalog-import explain ${code}`, look))}\n`;
}

/** Notices about accepted items, by code, each with the first of its kind. */
function noticesOf(kept: Kept, look: Look): string {
  if (kept.notices.size === 0) return '';
  const sorted = [...kept.notices].sort((a, b) => b[1].count - a[1].count);
  const lines = sorted.slice(0, noticesAtMost).map(([code, { count, first }]) => {
    const example = wrapped(sanitizeText(count === 1 ? first : `first in ${first}`), look.width - 13);
    return `  ${groupDigits(count).padStart(9)}  ${code}\n${dim(look, example).replace(/^/gm, ' '.repeat(13))}`;
  });
  const others = sorted.length - lines.length;
  return `\n  Notices on accepted items:\n${lines.join('\n')}\n${others > 0 ? `             and ${others} other kinds\n` : ''}`;
}

/** Remarks after the lines: causes of many refusals, values that no list has. */
function remarksOf({ remarks = [] }: Outcome, look: Look): string {
  if (remarks.length === 0) return '';
  return `\n${remarks.map((remark) => `${indented(cutToWidth(sanitizeText(remark), 2 * look.width), look)}\n`).join('')}`;
}

/** The totals of a folder: a row per file, and one for all. */
function overview(ended: readonly (readonly [ImportedFile, Outcome])[], total: Outcome, look: Look): string {
  const names = ['created', 'updated', 'unchanged', 'refused', 'total'] as const;
  // A file that fills several resources is listed by resource.
  const shared = (name: string): boolean => ended.filter(([{ file }]) => file === name).length > 1;
  const rows = [
    ...ended.map(([{ file, resource }, { counts }]) => {
      const name = sanitizeText(shared(file) ? `${resource.command} of ${basename(file)}` : basename(file));
      return { name: cutToWidth(name, 40), counts };
    }),
    { name: bold(look, 'all'), counts: total.counts },
  ];
  const cells = [
    ['', ...names],
    ...rows.map(({ name, counts }) => [name, ...names.map((count) => groupDigits(counts[count]))]),
  ];
  const [first = 0, ...widths] = naturalWidths(cells);
  const room = Math.min(first, look.width - widths.reduce((sum, width) => sum + width + 2, 2));
  const lines = cells.flatMap(([name = '', ...numbers], i) => {
    const shown = numbers.map((number, at) => number.padStart(widths[at] ?? 0));
    const row = (text: string): string =>
      wrappedRow([text, ...(i === 0 ? shown.map((cell) => dim(look, cell)) : shown)], [room, ...widths]);
    // A name that does not fit next to its numbers is above them.
    return displayWidth(name) <= room ? [row(name)] : [name, row('')];
  });
  return `${lines.map((line) => `  ${line}`).join('\n')}\n  ${dim(look, `(${duration(total.seconds)})`)}\n`;
}
