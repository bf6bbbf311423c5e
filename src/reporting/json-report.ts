// A report as JSON: the specification's envelope over a whole file, or one line an item. Written while it comes,
// one text a batch; nothing of it is kept.
import type { Counts, Line } from '../core/import-report.js';
import { sanitizeJson } from '../core/text/sanitize.js';
import type { BatchResult, ImportedFile, ImportObserver } from '../importing/observer.js';
import { type Selection, selects, type Write } from './report-form.js';

interface JsonForm {
  readonly write: Write;
  readonly selection: Selection;
  /** Whether the report covers several files, as with `run`: then each line names its file. */
  readonly many: boolean;
}

/** A value as JSON; what it quotes of a supplier steers no terminal. */
function json(value: unknown): string {
  return sanitizeJson(JSON.stringify(value));
}

/** A text as JSON; most keys are plain. */
function textJson(text: string): string {
  return /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : json(text);
}

/** What follows the identifier of a line: most have nothing to say. */
function restJson({ code, title, reason, notice, changes }: Line): string {
  if (code === null && notice.length === 0 && changes === undefined)
    return ',"code":null,"title":null,"reason":null,"notice":[],"line":';
  const refusal = `"code":${json(code)},"title":${json(title)},"reason":${json(reason)}`;
  const told = changes === undefined ? '' : `,"changes":${json(changes)}`;
  return `,${refusal},"notice":${json(notice)}${told},"line":`;
}

/**
 * The chosen lines of a batch, each between `before` and `after`, with `index` over the whole file and `line`, the
 * physical line in the source. Put together by hand: 200,000 accepted lines take 75 ms with their writing, their pieces
 * joined at once 95 ms, by JSON.stringify 300 ms.
 */
function linesJson(
  { report, lines, offset }: BatchResult,
  selection: Selection,
  before: string,
  after: string,
): string {
  let text = '';
  for (let i = 0; i < report.data.length; i++) {
    const line = report.data[i] as Line;
    if (selection !== 'all' && !selects(selection, line)) continue;
    const { external_id: key, action, id } = line;
    const named = id === null ? 'null' : `"${id}"`;
    text += `${before}"index":${offset + i},"external_id":${textJson(key)},"action":"${action}","id":${named}${restJson(line)}${lines[i] ?? 0}${after}`;
  }
  return text;
}

function countsJson({ created, updated, unchanged, refused, total }: Readonly<Counts>, stopped?: string): string {
  const counts = `"created":${created},"updated":${updated},"unchanged":${unchanged},"refused":${refused},"total":${total}`;
  return stopped === undefined ? counts : `${counts},"stopped":${JSON.stringify(stopped)}`;
}

function fileJson({ resource, file }: ImportedFile): string {
  return sanitizeJson(`"resource":${JSON.stringify(resource.name)},"file":${JSON.stringify(file)}`);
}

/**
 * The specification's report over the whole file, in its envelope; of several files, one report after another in
 * `{"object":"run","data":[…]}`. A run that stops early is closed properly, with `stopped`.
 */
export function jsonReport({ write, selection, many }: JsonForm): ImportObserver {
  let files = 0;
  let told = 0;
  const opening = '{"code":200,"title":"OK","response":';
  return {
    begin(file) {
      const head = `{"object":"list","resource":${JSON.stringify(file.resource.name)},"dry_run":${file.dryRun}`;
      const ofFile = many ? `,${fileJson(file).replace(/^.*?,/, '')}` : '';
      const before = files > 0 ? ',\n' : many ? `${opening}{"object":"run","data":[\n` : opening;
      files++;
      told = 0;
      return write(`${before}${head}${ofFile},"data":[`);
    },
    batch(batch) {
      const text = linesJson(batch, selection, ',\n{', '}');
      if (text === '') return undefined;
      const first = told === 0;
      told++;
      return write(first ? text.slice(1) : text);
    },
    finish: ({ counts, stopped }) => write(`${told === 0 ? '' : '\n'}],${countsJson(counts, stopped)}}`),
    end({ counts, stopped }) {
      if (!many) return write('}\n');
      const before = files > 0 ? '\n' : `${opening}{"object":"run","data":[`;
      return write(`${before}],${countsJson(counts, stopped)}}}\n`);
    },
  };
}

/** One line an item as it comes, and a last one `{"type":"summary",…}`; of several files one for each, then one for all. */
export function ndjsonReport({ write, selection, many }: JsonForm): ImportObserver {
  let file: ImportedFile;
  let before = '{';
  const summary = (head: string, counts: Readonly<Counts>, stopped?: string): void | Promise<void> =>
    write(`{"type":"summary",${head},"dry_run":${file?.dryRun ?? false},${countsJson(counts, stopped)}}\n`);
  return {
    begin(next) {
      file = next;
      if (many) before = `{${fileJson(file)},`;
    },
    batch(batch) {
      const text = linesJson(batch, selection, before, '}\n');
      return text === '' ? undefined : write(text);
    },
    finish: ({ counts, stopped }) => summary(fileJson(file), counts, stopped),
    end: ({ counts, stopped }) => (many ? summary('"object":"run"', counts, stopped) : undefined),
  };
}
