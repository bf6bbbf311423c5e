// A report as JSON: the specification's envelope over a whole file, or one line an item. Written while it comes,
// one text a batch; nothing of it is kept.
import type { Counts, Line } from '../core/line.js';
import { printableJson } from './printable.js';
import { type Reporter, type Selection, type Subject, selects, type Told, type Write } from './reporter.js';

interface Form {
  readonly write: Write;
  readonly selection: Selection;
  /** Whether several files are told together, as `run` does: then each line says whose it is. */
  readonly many: boolean;
}

/** A value as JSON; what it quotes of a supplier steers no terminal. */
function json(value: unknown): string {
  return printableJson(JSON.stringify(value));
}

/**
 * A line of the report with `index` over the whole file and `line`, the physical line in the source.
 * Put together by hand: 200,000 accepted lines take 0.1 s, with JSON.stringify of each 0.3 s.
 */
function lineJson(line: Line, index: number, physical: number): string {
  const id = line.id === null ? 'null' : `"${line.id}"`;
  const head = `"index":${index},"external_id":${json(line.external_id)},"action":"${line.action}","id":${id}`;
  const refusal =
    line.code === null
      ? '"code":null,"title":null,"reason":null'
      : `"code":"${line.code}","title":${json(line.title)},"reason":${json(line.reason)}`;
  const notice = line.notice.length === 0 ? '[]' : json(line.notice);
  const changes = line.changes === undefined ? '' : `,"changes":${json(line.changes)}`;
  return `${head},${refusal},"notice":${notice}${changes},"line":${physical}`;
}

/** The chosen lines of a batch, each between `before` and `after`. */
function linesJson({ report, lines, offset }: Told, selection: Selection, before: string, after: string): string {
  let text = '';
  report.data.forEach((line, i) => {
    if (selects(selection, line)) text += before + lineJson(line, offset + i, lines[i] ?? 0) + after;
  });
  return text;
}

function countsJson({ created, updated, unchanged, refused, total }: Readonly<Counts>, stopped?: string): string {
  const counts = `"created":${created},"updated":${updated},"unchanged":${unchanged},"refused":${refused},"total":${total}`;
  return stopped === undefined ? counts : `${counts},"stopped":${JSON.stringify(stopped)}`;
}

function subjectJson({ resource, file }: Subject): string {
  return printableJson(`"resource":${JSON.stringify(resource)},"file":${JSON.stringify(file)}`);
}

/**
 * The specification's report over the whole file, in its envelope; of several files, one report after another in
 * `{"object":"run","data":[…]}`. A run that stops early is closed properly, with `stopped`.
 */
export function jsonReport({ write, selection, many }: Form): Reporter {
  let files = 0;
  let told = 0;
  const opening = '{"code":200,"title":"OK","response":';
  return {
    begin(subject) {
      const head = `{"object":"list","resource":${JSON.stringify(subject.resource)},"dry_run":${subject.dryRun}`;
      const ofFile = many ? `,${subjectJson(subject).replace(/^.*?,/, '')}` : '';
      const before = files > 0 ? ',\n' : many ? `${opening}{"object":"run","data":[\n` : opening;
      files++;
      told = 0;
      return write(`${before}${head}${ofFile},"data":[`);
    },
    tell(batch) {
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
export function ndjsonReport({ write, selection, many }: Form): Reporter {
  let subject: Subject;
  let before = '{';
  const summary = (head: string, counts: Readonly<Counts>, stopped?: string): void | Promise<void> =>
    write(`{"type":"summary",${head},"dry_run":${subject?.dryRun ?? false},${countsJson(counts, stopped)}}\n`);
  return {
    begin(next) {
      subject = next;
      if (many) before = `{${subjectJson(subject)},`;
    },
    tell(batch) {
      const text = linesJson(batch, selection, before, '}\n');
      return text === '' ? undefined : write(text);
    },
    finish: ({ counts, stopped }) => summary(subjectJson(subject), counts, stopped),
    end: ({ counts, stopped }) => (many ? summary('"object":"run"', counts, stopped) : undefined),
  };
}
