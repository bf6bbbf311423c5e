// Detects the record element of an XML feed: that of a known format, or of a refused record that came back, which may be alone; else
// the first element with a sibling of the same name.
import { refusalColumns } from '../column-targets.js';
import { xmlParser } from './xml-parser.js';

/** Elements that are records in the formats of feeds: RSS, Atom, Yandex, BMEcat 1.2 and 2005, sitemaps. */
const known: Readonly<Record<string, readonly string[]>> = {
  rss: ['item'],
  feed: ['entry'],
  yml_catalog: ['offer'],
  BMECAT: ['ARTICLE', 'PRODUCT'],
  urlset: ['url'],
};

/** What is detected from the beginning of a feed. */
export interface RecordElement {
  readonly name: string;
  /** Whether it follows from the feed's format, or from what refused records get, and not only from a repeated element. */
  readonly known: boolean;
}

/** The last element that a refused record gets. */
const lastAdded = refusalColumns.at(-1);

const localName = (name: string): string => name.slice(name.indexOf(':') + 1);

/**
 * Finds the element of the records.
 * @param head the beginning of the feed; it may end anywhere
 */
export function recordElement(head: string): RecordElement | undefined {
  const open: Map<string, number>[] = [];
  const names: string[] = [];
  let root = '';
  let found: { name: string; depth: number } | undefined;
  let named: string | undefined;
  const parser = xmlParser({
    open(name) {
      const siblings = open.at(-1);
      if (siblings === undefined) root = localName(name);
      else if (known[root]?.includes(localName(name)) === true) named ??= name;
      else if (name === lastAdded) named ??= names.at(-1);
      if (siblings !== undefined) {
        const count = (siblings.get(name) ?? 0) + 1;
        siblings.set(name, count);
        if (count === 2 && (found === undefined || open.length < found.depth)) found = { name, depth: open.length };
      }
      open.push(new Map());
      names.push(name);
    },
    close() {
      open.pop();
      names.pop();
    },
  });
  try {
    parser.write(head);
  } catch {
    // Errors in the feed are reported by the reader.
  }
  if (named !== undefined) return { name: named, known: true };
  return found === undefined ? undefined : { name: found.name, known: false };
}
