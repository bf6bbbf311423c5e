// A report as JSON: the specification's envelope over a whole file, or one line per item. Written as it comes, one text
// per batch; nothing of it is kept.
import type { Line } from '../../core/import-report.js';
import { endLineOf } from '../../core/ledger/feed-end.js';
import { sanitizeJson } from '../../core/text/sanitize.js';
import type { BatchResult, ImportedFile, ImportObserver, Outcome } from '../../importing/observer.js';
import { type ProblemTeller, problemTeller } from '../causes/problems.js';
import { addCodes, type CodeCounts, countCodes, newCodeCounts, type RunInfo, runHeader } from '../run-info.js';
import { type Selection, selects, type Write } from './report-form.js';

interface JsonForm {
  readonly write: Write;
  readonly selection: Selection;
  /** Whether the report covers several files, as for `run`: then each line contains its file. */
  readonly many: boolean;
  /** The options of the run, written before the first line, and its end. */
  readonly run?: RunInfo | undefined;
}

/** A value as JSON, sanitized for terminals. */
function json(value: unknown): string {
  return sanitizeJson(JSON.stringify(value));
}

/** A text as JSON; most keys are plain. */
function textJson(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : json(text);
}

/** The members after the identifier of a line; most have no content. */
function restJson({ code, title, reason, notice, changes }: Line, problems: () => unknown): string {
  if (code === null && notice.length === 0 && changes === undefined)
    return ',"code":null,"title":null,"reason":null,"notice":[],"line":';
  const refusal = `"code":${json(code)},"title":${json(title)},"reason":${json(reason)}`;
  const wrong = code === null ? '' : `,"problems":${json(problems())}`;
  const reported = changes === undefined ? '' : `,"changes":${json(changes)}`;
  return `,${refusal},"notice":${json(notice)}${wrong}${reported},"line":`;
}

interface LineForm {
  readonly selection: Selection;
  readonly before: string;
  readonly after: string;
  readonly problems: ProblemTeller;
}

/**
 * The selected lines of a batch, each between `before` and `after`, with `index` over the whole file and `line`, the
 * physical line in the source. Assembled by hand: 200,000 accepted lines take 75 ms including writing, joining their
 * pieces at once 95 ms, JSON.stringify 300 ms.
 */
function linesJson({ report, lines, offset, entries }: BatchResult, form: LineForm): string {
  const { selection, before, after, problems } = form;
  let text = '';
  for (let i = 0; i < report.data.length; i++) {
    const line = report.data[i] as Line;
    if (selection !== 'all' && !selects(selection, line)) continue;
    const { external_id: key, action, id } = line;
    const named = id === null ? 'null' : `"${id}"`;
    const rest = restJson(line, () => problems.of(line, entries?.[i]));
    text += `${before}"index":${offset + i},"external_id":${textJson(key)},"action":"${action}","id":${named}${rest}${lines[i] ?? 0}${after}`;
  }
  return text;
}

/** The end of a file or a run: counts, codes with their counts, duration. */
function outcomeJson({ counts, seconds, stopped, refusedFile }: Outcome, found: CodeCounts): string {
  const { created, updated, unchanged, refused, total } = counts;
  const sums = `"created":${created},"updated":${updated},"unchanged":${unchanged},"refused":${refused},"total":${total}`;
  const codes = `"codes":${json(Object.fromEntries(found.codes))},"notices":${json(Object.fromEntries(found.notices))}`;
  const early = stopped === undefined ? '' : `,"stopped":${JSON.stringify(stopped)}`;
  const back = refusedFile === undefined ? '' : `,"refused_file":${json(refusedFile)}`;
  return `${sums},${codes}${back},"seconds":${Number(seconds.toFixed(3))}${early}`;
}

/** What concerns the run as a whole: what was noticed, what its guards found, what its end did, and its exit code. */
function runJson(total: Outcome, run: RunInfo | undefined, end: string): string {
  const exit = run === undefined ? '' : `,"exit":${run.exitOf(total)}`;
  const { warnings = [], guards = [] } = total;
  const judged = guards.length === 0 ? '' : `,"guards":${json(guards)}`;
  return `,"warnings":${json(warnings)}${judged}${end}${exit}`;
}

/** The lines of the records that the end of the run changed, which are counted separately from the items read. */
function endLinesJson({ effects }: Outcome, selection: Selection): readonly string[] {
  if (effects === undefined || (selection !== 'all' && selection !== 'changed')) return [];
  const { feed, lines } = effects;
  return lines.map((line) => json(endLineOf(feed, line)));
}

function fileJson({ resource, file }: ImportedFile): string {
  return sanitizeJson(`"resource":${JSON.stringify(resource.name)},"file":${JSON.stringify(file)}`);
}

/**
 * The specification's report over the whole file, in its envelope; for several files, one report after another in
 * `{"object":"run","data":[…]}`. A run that stops early is closed properly, with `stopped`.
 */
export function jsonReport({ write, selection, many, run }: JsonForm): ImportObserver {
  let files = 0;
  let reported = 0;
  let problems: ProblemTeller;
  let codes = newCodeCounts();
  const all = newCodeCounts();
  const opening = '{"code":200,"title":"OK","response":';
  const header = (): string => (run === undefined ? '' : `"run":${json(runHeader(run))},`);
  return {
    begin(file) {
      const head = `{"object":"list","resource":${JSON.stringify(file.resource.name)},"dry_run":${file.dryRun}`;
      const ofFile = many ? `,${fileJson(file).replace(/^.*?,/, '')}` : '';
      const before = files > 0 ? ',\n' : many ? `${opening}{"object":"run",${header()}"data":[\n` : opening;
      files++;
      reported = 0;
      problems = problemTeller(file);
      codes = newCodeCounts();
      return write(`${before}${head}${ofFile},${many ? '' : header()}"data":[`);
    },
    batch(batch) {
      countCodes(codes, batch);
      const text = linesJson(batch, { selection, before: ',\n{', after: '}', problems });
      if (text === '') return undefined;
      const first = reported === 0;
      reported++;
      return write(first ? text.slice(1) : text);
    },
    finish(outcome) {
      addCodes(all, codes);
      return write(`${reported === 0 ? '' : '\n'}],${outcomeJson(outcome, codes)}${many ? '}' : ''}`);
    },
    async end(total) {
      const lines = endLinesJson(total, selection);
      const data = lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`;
      const end = total.effects && `,"end":${json(total.effects.counts).slice(0, -1)},"data":[${data}]}`;
      const before = files > 0 ? '\n' : `${opening}{"object":"run",${header()}"data":[`;
      if (many) await write(`${before}],${outcomeJson(total, all)}`);
      await write(`${runJson(total, run, end ?? '')}}}\n`);
    },
    failed(total) {
      if (total.guards === undefined || total.guards.length === 0) return;
      return write(
        `${opening}{"object":"run",${header()}"data":[],${outcomeJson(total, all)}${runJson(total, run, '')}}}\n`,
      );
    },
  };
}

/**
 * First `{"type":"run",…}`, then one line per item as it comes, and last `{"type":"summary",…}`; for several files a
 * summary for each, then one for all.
 */
export function ndjsonReport({ write, selection, many, run }: JsonForm): ImportObserver {
  let file: ImportedFile | undefined;
  let problems: ProblemTeller;
  let before = '{';
  let codes = newCodeCounts();
  const all = newCodeCounts();
  // Without lines only the counts are written. Otherwise the head is written with the first lines.
  let isBegun = run === undefined || selection === 'none';
  const put = (text: string): void | Promise<void> => {
    const head = isBegun ? '' : `{"type":"run",${json(runHeader(run as RunInfo)).slice(1)}\n`;
    isBegun = true;
    return write(head + text);
  };
  const ofRun = (total: Outcome, end: string): string =>
    `${run === undefined ? '' : `,"run":${run.number?.() ?? null}`}${runJson(total, run, end)}`;
  // A run may end without a file: an undo, or where a guard stopped it.
  const isDry = (): boolean => file?.dryRun ?? run?.dryRun ?? false;
  const summary = (about: string, end: string): void | Promise<void> =>
    put(`{"type":"summary",${about},"dry_run":${isDry()},${end}}\n`);
  let ended: string | undefined;
  return {
    begin(next) {
      file = next;
      problems = problemTeller(next);
      codes = newCodeCounts();
      if (many) before = `{${fileJson(file)},`;
    },
    batch(batch) {
      countCodes(codes, batch);
      const text = linesJson(batch, { selection, before, after: '}\n', problems });
      return text === '' ? undefined : put(text);
    },
    finish(outcome) {
      addCodes(all, codes);
      ended = outcomeJson(outcome, codes);
      return many && file ? summary(fileJson(file), ended) : undefined;
    },
    async end(total) {
      const lines = endLinesJson(total, selection);
      if (lines.length > 0) await put(`${lines.join('\n')}\n`);
      const about = many || file === undefined ? '"object":"run"' : fileJson(file);
      const end = total.effects === undefined ? '' : `,"end":${json(total.effects.counts)}`;
      await summary(
        about,
        `${many ? outcomeJson(total, all) : (ended ?? outcomeJson(total, all))}${ofRun(total, end)}`,
      );
    },
    // A run that did not begin has no lines; what its guards found is reported.
    failed(total) {
      if (total.guards === undefined || total.guards.length === 0) return;
      return summary('"object":"run"', `${outcomeJson(total, all)}${ofRun(total, '')}`);
    },
  };
}
