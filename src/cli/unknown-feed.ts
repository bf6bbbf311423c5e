// Suggests a feed that has run where the name of another one may be a typing error.
import { nearest } from '../core/text/text.js';

/** Names shorter than this are all alike. */
const shortest = 3;

/** The name of a feed that has run and is like this one. */
export function similarFeed(feed: string, others: Iterable<string>): string | undefined {
  const known = [...new Set(others)].filter((name) => name !== '' && name !== feed);
  return feed.length < shortest ? undefined : nearest(feed, known);
}

/** ` Did you mean erp?` for a name that is like that of a feed that has run; else ''. */
export function didYouMean(feed: string, others: Iterable<string>): string {
  const near = similarFeed(feed, others);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}
