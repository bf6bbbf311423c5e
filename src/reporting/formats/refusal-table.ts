// Many refused lines as a table for people: by code and column, each with its first lines.
import { refusals } from '../../core/diagnostics/refusal-codes.js';
import type { Entry } from '../../core/entry.js';
import type { Line } from '../../core/import-report.js';
import { groupDigits, sanitizeText } from '../../core/text/sanitize.js';
import type { ImportedFile } from '../../importing/observer.js';
import { type ProblemTeller, problemTeller } from '../causes/problems.js';

/** Lines of one code and column. */
interface RefusalGroup {
  readonly code: string;
  /** The column of the file, else the field, else ''. */
  readonly place: string;
  count: number;
  readonly lines: string[];
}

/** Maximum groups that are counted, and that are shown; maximum line numbers shown for each. */
const mostGroups = 1_000;
const mostShown = 20;
const mostLines = 3;

export interface RefusalTable {
  add(line: Line, entry: Entry | undefined, place: string): void;
  /** The table, the most frequent first, and how many rows it leaves out. */
  rows(paint: (code: string) => string): {
    readonly head: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly others: number;
  };
}

/** Begins with a file. */
export function refusalTable(file: Pick<ImportedFile, 'resource' | 'source'>): RefusalTable {
  const groups = new Map<string, RefusalGroup>();
  const columns = new Map<string, string>();
  let teller: ProblemTeller | undefined;

  /** The place of a problem; determined once per path, not for each line. */
  function columnOf(field: string, entry: Entry | undefined): string {
    const path = field.replace(/\[\d+\]/g, '[]');
    const known = columns.get(path);
    if (known !== undefined) return known;
    teller ??= problemTeller(file);
    const found = teller.columnsOf(field, entry)[0] ?? path;
    if (columns.size < mostGroups) columns.set(path, found);
    return found;
  }

  return {
    add({ code, reason }, entry, place) {
      if (code === null) return;
      const [, field = ''] = /^([\w.[\]]{1,80}): /.exec(reason ?? '') ?? [];
      const where = field === '' ? '' : columnOf(field, entry);
      const id = `${code}\0${where}`;
      const known = groups.get(id);
      if (known === undefined && groups.size >= mostGroups) return;
      const group = known ?? { code, place: where, count: 0, lines: [] };
      groups.set(id, group);
      group.count++;
      if (group.lines.length < mostLines) group.lines.push(place);
    },
    rows(paint) {
      const sorted = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, mostShown);
      const digits = Math.max('items'.length, groupDigits(sorted[0]?.count ?? 0).length);
      const rows = sorted.map(({ code, place, count, lines }) => {
        const title = refusals[code as keyof typeof refusals]?.title ?? '';
        const where = place === '' ? title : `${sanitizeText(place).slice(0, 30)}: ${title}`;
        const at = `${lines.join(', ')}${count > lines.length ? ' …' : ''}`;
        return [groupDigits(count).padStart(digits), paint(code), where, at];
      });
      return { head: ['items', 'code', 'column and problem', 'lines'], rows, others: groups.size - rows.length };
    },
  };
}
