// Values of closed lists that a feed has and the catalog has not: counted, each with its first line and the nearest
// value there is, and, where it is asked for, written as characteristics that add them and deactivate none.
import type { Catalog } from '../core/catalog.js';
import type { Entry } from '../core/entry.js';
import type { Resource } from '../core/resource.js';
import { fold, nearest, quote } from '../core/text.js';
import { printable } from './printable.js';
import type { Told } from './reporter.js';
import { writeTextFile } from './writing.js';

/** Values that are kept; a feed with more of them has the wrong column. */
const mostValues = 10_000;
const toldAtMost = 15;

interface Missing {
  readonly type: string;
  readonly value: string;
  /** Its first line in the file under way, and how often it is there. */
  line: number;
  count: number;
}

/** Collects values that no list has. */
export interface MissingValues {
  tell(told: Told): void;
  /** Ends a file: a line a value it has, the most frequent first; and what would add those of all files. */
  summary(
    catalog: Catalog,
    characteristics: Resource,
  ): Promise<{ readonly words: readonly string[]; readonly items: readonly object[] }>;
}

/** Begins with nothing missing. */
export function missingValues(): MissingValues {
  const missing = new Map<string, Missing>();
  return {
    tell({ report, lines, entries = [] }) {
      report.data.forEach((line, i) => {
        if (line.code === null) return;
        const paths = line.notice.filter(({ code }) => code === 'attribute_value_not_listed').map(({ field }) => field);
        // The reason of a line begins with the path of its field.
        if (line.code === 'attribute_value_not_listed') paths.push((line.reason ?? '').split(':', 1)[0] ?? '');
        for (const path of paths) note(missing, entries[i], path, lines[i] ?? 0);
      });
    },
    async summary(catalog, characteristics) {
      const sorted = [...missing.values()].sort((a, b) => b.count - a.count);
      const words: string[] = [];
      const items: object[] = [];
      for (const type of new Set(sorted.map((one) => fold(one.type)))) {
        const own = sorted.filter((one) => fold(one.type) === type);
        const named = own[0]?.type ?? '';
        const stored = await catalog.read(
          characteristics,
          named.startsWith(characteristics.prefix) ? { id: named } : { key: named },
        );
        const labels = ((stored?.['values'] ?? []) as readonly { readonly label: string }[]).map(({ label }) => label);
        const name = String(stored?.['name'] ?? named);
        for (const { value, count, line } of own) {
          if (count === 0) continue;
          const near = nearest(value, labels);
          const hint = near === undefined ? '' : `, the nearest is ${quote(near)}`;
          const where = count === 1 ? `once, on line ${line}` : `${count} times, first on line ${line}`;
          words.push(`${printable(name)}: ${quote(value)} is not in its list: ${where}${hint}`);
        }
        // The whole list: what is left out of it would be deactivated. A colour without hex is refused, and so looked at.
        const colour = stored?.['kind'] === 'colour' ? { kind: 'colour' } : {};
        const hex = stored?.['kind'] === 'colour' ? { hex: '' } : {};
        items.push({
          name,
          ...colour,
          values: [...labels.map((label) => ({ label })), ...own.map(({ value }) => ({ label: value, ...hex }))],
        });
      }
      for (const one of sorted) one.count = 0;
      const more = words.length - toldAtMost;
      return {
        words: more > 0 ? [...words.slice(0, toldAtMost), `and ${more} more values that are in no list`] : words,
        items,
      };
    },
  };
}

function note(missing: Map<string, Missing>, sent: Entry | undefined, path: string, line: number): void {
  const item = sent === undefined || sent.kind === 'unreadable' ? undefined : sent.item;
  const at = /^attributes\[(\d+)\]\.value$/.exec(path)?.[1];
  const attributes = (item as { readonly attributes?: unknown } | undefined)?.attributes;
  const entry =
    at === undefined || !Array.isArray(attributes)
      ? undefined
      : (attributes[Number(at)] as { type?: unknown; value?: unknown });
  if (typeof entry?.type !== 'string' || typeof entry.value !== 'string') return;
  const id = `${fold(entry.type.trim())}\0${fold(entry.value.trim())}`;
  const known = missing.get(id);
  if (known !== undefined) {
    if (known.count++ === 0) known.line = line;
  } else if (missing.size < mostValues)
    missing.set(id, { type: entry.type.trim(), value: entry.value.trim(), line, count: 1 });
}

/** Writes characteristics as a file that can be imported. @throws CatalogError `usage` where it cannot be written */
export function writeMissing(path: string, items: readonly object[]): void {
  writeTextFile(`--write-missing-values ${path}`, path, `${JSON.stringify(items, undefined, 2)}\n`);
}
