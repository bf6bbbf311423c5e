// What a feed may do alone is a setting of it: `only` of its imports that do not say otherwise.
import type { ImportMode } from './item-task.js';
import type { FeedContext, FeedRanks } from './ranking/rank-item.js';

/** The mode of the items of a feed. A plan was made with the setting; what no longer lists records is an undo, or the end of a run. */
export function modeOfFeed(
  { mode, feed }: { readonly mode: ImportMode; readonly feed?: FeedContext },
  ranks: FeedRanks | undefined,
): ImportMode {
  const only = ranks?.settings.only?.[feed?.feed ?? ''];
  const isSending = feed?.lists === true && mode.isListing !== false && mode.plan !== 'apply';
  return only === undefined || !isSending ? mode : { only, ...mode };
}
