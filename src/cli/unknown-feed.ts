// What is said of a feed that has not run: its name may be a typing error, and there is nothing to compare with.
import { nearest } from '../core/text/text.js';

/** Names shorter than this are all alike. */
const shortest = 3;

/** ` Did you mean erp?` for a name that is like that of a feed that has run; else ''. */
export function didYouMean(feed: string, others: Iterable<string>): string {
  const known = [...new Set(others)].filter((name) => name !== '' && name !== feed);
  const near = feed.length < shortest ? undefined : nearest(feed, known);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
