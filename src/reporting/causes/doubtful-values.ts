// Warns of new and changed records whose values are probably wrong: placeholders such as NULL, keys with invisible characters, and notes
// below a table that were read as records.
import type { WarningLog } from '../../core/diagnostics/warning-log.js';
import { itemOf } from '../../core/entry.js';
import type { CheckedFields } from '../../core/planning/item-task.js';
import { counted } from '../../core/text/counted.js';
import { placeholders } from '../../core/text/placeholders.js';
import { quote } from '../../core/text/text.js';
import type { ImportedFile, ImportObserver } from '../../importing/observer.js';

/** Maximum characters of a placeholder, with the spaces around it. */
const longest = 20;

/** The first characters of placeholders. Matching every text with the regular expression made a first import 5 % slower. */
const beginnings = new Set([...' nNuU#(['].map((sign) => sign.charCodeAt(0)));

/** Placeholders that are ordinary words or names in these letters, in which no program writes them. */
const ordinary = new Set(['Nan', 'Nil', 'NIL', 'none', 'NONE']);

function isPlaceholder(value: unknown): boolean {
  if (typeof value !== 'string' || value.length > longest || !beginnings.has(value.charCodeAt(0))) return false;
  const text = value.trim();
  return placeholders.test(text) && !ordinary.has(text);
}

/** Soft hyphens, zero-width characters, byte order marks and direction marks. */
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** A kind of doubtful records: the words of the warning, and what is doubtful in a record. */
interface DoubtKind {
  readonly words: string;
  readonly find: (item: CheckedFields, file: ImportedFile) => string | undefined;
}

const kinds: readonly DoubtKind[] = [
  {
    words: 'with a placeholder instead of a value',
    find(item) {
      for (const name in item) if (isPlaceholder(item[name])) return `${name} ${quote(String(item[name]))}`;
      return undefined;
    },
  },
  {
    words: 'with invisible characters in the key',
    find(item, { resource: { key } }) {
      const text = String(item[key] ?? '');
      const [found] = text.match(invisible) ?? [];
      if (found === undefined) return undefined;
      const code = found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
      return `U+${code} in ${quote(text.replace(invisible, ''))}`;
    },
  },
  {
    words: 'with only a key, which looks like a note',
    find(item, { resource: { key, fields }, constants = [] }) {
      const text = item[key];
      if (typeof text !== 'string' || !text.includes(' ') || !/\S\s+\S+\s+\S/.test(text)) return undefined;
      // A name as the key often has several words, and reviews have a key of their own.
      if (fields['name'] === undefined || key === 'name') return undefined;
      const isFilled = (name: string): boolean => item[name] !== undefined && name !== key && !constants.includes(name);
      return Object.keys(item).some(isFilled) ? undefined : quote(text);
    },
  },
];

/** How many records of a file are doubtful in one way, and the first of them. */
interface FoundDoubt {
  count: number;
  readonly example: string;
}

/** The observer of doubtful values: one warning per file, at its end. */
export function doubtfulValues({ log }: { readonly log: WarningLog }): ImportObserver {
  const found = new Map<string, FoundDoubt>();
  let current: ImportedFile | undefined;
  return {
    begin(file) {
      current = file;
      found.clear();
    },
    batch({ report, lines, entries = [] }) {
      if (current === undefined || report.created + report.updated === 0) return;
      for (let i = 0; i < report.data.length; i++) {
        const action = report.data[i]?.action;
        const item = action === 'created' || action === 'updated' ? itemOf(entries[i]) : undefined;
        if (typeof item !== 'object' || item === null) continue;
        for (const { words, find } of kinds) {
          const example = find(item as CheckedFields, current);
          if (example === undefined) continue;
          const before = found.get(words);
          if (before !== undefined) before.count++;
          else found.set(words, { count: 1, example: `${example} on line ${lines[i]}` });
        }
      }
    },
    finish() {
      if (current === undefined || found.size === 0) return;
      const words = [...found].map(([what, { count, example }]) => `${counted(count, 'records')} ${what} (${example})`);
      log.warn('values_doubtful', { file: current.file, words: words.join('; ') });
    },
  };
}
