// The items that an import left out by `only`, as a warning with their number and the first keys.
import type { Warn } from '../core/diagnostics/warning-codes.js';
import { namedAtMost } from '../core/diagnostics/warning-kind.js';
import { leftOutNotice, type OnlyAction, onlyActions } from '../core/only-action.js';
import type { ImportObserver } from './observer.js';

interface OmittedItems {
  readonly resource: string;
  readonly only: OnlyAction;
  readonly keys: string[];
  count: number;
}

/** The observer: it warns once for each resource, after the last file. */
export function leftOutItems({ log }: { readonly log: { readonly warn: Warn } }): ImportObserver {
  const found = new Map<string, OmittedItems>();
  const tell = (): void => {
    for (const one of found.values()) log.warn('items_left_out', one);
  };
  return {
    batch({ report: { resource, data } }) {
      for (const { external_id: key, notice } of data) {
        if (notice.length === 0) continue;
        const only = onlyActions.find((action) => notice.some(({ code }) => code === leftOutNotice[action]));
        if (only === undefined) continue;
        const id = `${resource} ${only}`;
        const known = found.get(id) ?? { resource, only, keys: [], count: 0 };
        found.set(id, known);
        if (known.count++ < namedAtMost) known.keys.push(key);
      }
    },
    end: tell,
    failed: tell,
  };
}
