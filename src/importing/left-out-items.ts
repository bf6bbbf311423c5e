// The items that an import left out by `only`, as a warning with their number and the first keys.
import type { Warn } from '../core/diagnostics/warning-codes.js';
import { namedAtMost } from '../core/diagnostics/warning-kind.js';
import { leftOutBy, type OnlyAction } from '../core/only-action.js';
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
      for (const line of data) {
        const only = leftOutBy(line);
        if (only === undefined) continue;
        const id = `${resource} ${only}`;
        const known = found.get(id) ?? { resource, only, keys: [], count: 0 };
        found.set(id, known);
        if (known.count++ < namedAtMost) known.keys.push(line.external_id);
      }
    },
    end: tell,
    failed: tell,
  };
}
