// Warns of new and changed records that hold what is hardly meant: words for no value, keys with characters that nobody sees, and notes
// below a table that were taken for records.
import type { WarningLog } from '../../core/diagnostics/warning-log.js';
import { itemOf } from '../../core/entry.js';
import { counted } from '../../core/text/counted.js';
import { placeholders } from '../../core/text/placeholders.js';
import { quote } from '../../core/text/text.js';
import type { ImportedFile, ImportObserver } from '../../importing/observer.js';

/** The texts that a field of one word may have by itself: a brand may be called None. */
const longest = 20;

/** What those words begin with. With a regular expression for every text a first import took 5 % longer. */
const beginnings = new Set([...' nNuU#(['].map((sign) => sign.charCodeAt(0)));

function mayStandForNone(value: string): boolean {
  return value.length <= longest && beginnings.has(value.charCodeAt(0));
}

/** Zero width, soft hyphens, byte order marks and marks that set the direction of writing. */
const unseen = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/** What is doubtful in a record; undefined where nothing is. */
type Doubt = (item: Readonly<Record<string, unknown>>, file: ImportedFile) => string | undefined;

const doubts: Readonly<Record<'placeholder' | 'unseen' | 'note', { readonly words: string; readonly find: Doubt }>> = {
  placeholder: {
    words: 'with a word for no value',
    find(item) {
      for (const name in item) {
        const value = item[name];
        if (typeof value === 'string' && mayStandForNone(value) && placeholders.test(value.trim()))
          return `${name} ${quote(value)}`;
      }
      return undefined;
    },
  },
  unseen: {
    words: 'with characters in their key that are not shown',
    find(item, { resource: { key } }) {
      const text = String(item[key] ?? '');
      const [found] = text.match(unseen) ?? [];
      if (found === undefined) return undefined;
      const shown = text.replace(unseen, '');
      return `U+${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')} in ${quote(shown)}`;
    },
  },
  note: {
    words: 'with several words as their key and nothing else',
    find(item, { resource: { key, fields }, constants = [] }) {
      const text = item[key];
      // Names have several words, and so have keys without another field.
      if (
        typeof text !== 'string' ||
        !text.includes(' ') ||
        !/\S\s+\S+\s+\S/.test(text) ||
        fields['name'] === undefined ||
        key === 'name'
      )
        return undefined;
      for (const name in item)
        if (item[name] !== undefined && name !== key && !constants.includes(name)) return undefined;
      return quote(text);
    },
  },
};

const all = Object.values(doubts);

/** A doubt about records of a file, with the first of them. */
interface FoundDoubt {
  count: number;
  readonly example: string;
}

/** Makes the observer: of each file it warns once, at its end. */
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
        for (const { words, find } of all) {
          const example = find(item as Readonly<Record<string, unknown>>, current);
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
