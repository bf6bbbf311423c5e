// Every guard, in the order in which findings are reported. A new guard is a file next to this one and a line here.
import { changed } from './changed.js';
import { created } from './created.js';
import { damaged } from './damaged.js';
import { emptiedFields } from './emptied-fields.js';
import { emptiedLists } from './emptied-lists.js';
import { type Guard, limitName } from './guard.js';
import { hidden } from './hidden.js';
import { missing } from './missing.js';
import { priceChanged } from './price-changed.js';
import { refused } from './refused.js';
import { shown } from './shown.js';
import { soldOut } from './sold-out.js';

export const guards: readonly Guard[] = [
  ...[changed, created, missing, hidden, shown, soldOut, damaged, refused, priceChanged],
  ...[emptiedLists, emptiedFields],
];

/** The options that are a share and nothing else. */
export const shareOptions = guards.flatMap(({ option, share }) => {
  if (share === undefined) return [];
  const { help, standard } = share;
  const stated = standard === undefined ? '' : ` (default with --feed: ${standard * 100}%)`;
  return { option, limit: limitName(option), help: `${help}${stated}`, standard };
});
