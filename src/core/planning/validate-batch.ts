// Validates a batch without a catalog: finds what every catalog would refuse. The remote client calls this before it
// sends anything; the lines come from the code that a catalog uses, so that they are equal.
import type { Batch } from '../catalog.js';
import type { CheckedItem } from '../fields/check-item.js';
import type { Line } from '../import-report.js';
import type { Resource } from '../resource.js';
import { newDraft } from '../rows/draft.js';
import { finishItem } from './item-outcome.js';
import { beginItem, newItemState, newTask } from './item-state.js';
import type { Environment, ImportMode } from './item-task.js';
import { checkEntry, refuseRepetition } from './plan-batches.js';

export interface BatchEntryCheck {
  readonly checked?: CheckedItem;
  /** Its line if it is settled or refused. `id` is null: only the catalog knows whether the record exists. */
  readonly line?: Line;
  /** The index of the entry it repeats, if its resource accepts each record once per batch. */
  readonly repeats?: number;
}

export function isRefused({ diagnostics }: CheckedItem): boolean {
  return diagnostics !== undefined && diagnostics.problems.length > 0;
}

/** Validates each entry of a batch, by itself and against the entries before it. */
export function validateBatch(
  resource: Resource,
  batch: Batch,
  context: { readonly environment: Environment; readonly mode: ImportMode },
): readonly BatchEntryCheck[] {
  const keys = new Map<string, number>();
  const state = newItemState(resource, newDraft(), context);
  const task = newTask(state);
  return batch.map((entry, index) => {
    // Its amounts are normalized, in a form that a remote does not accept.
    if (entry.kind === 'validated') throw new Error('an item validated for a local catalog was given to a remote one');
    // Spread, the line takes three times as long: with all rows settled, that is a tenth of an import.
    if (entry.kind === 'settled') return { line: Object.assign({ index }, entry.line) };
    const checked = checkEntry(resource, entry, context.environment, state.spent);
    beginItem(state, task, checked, 0);
    const once = resource.oncePerBatch === true && checked.unreadable === undefined;
    const repeats = once ? refuseRepetition(resource, task, checked.externalId, { index, keys }) : undefined;
    if (!isRefused(checked) && repeats === undefined) return { checked };
    const line = finishItem(state, task, index, { created: [], known: new Map() });
    return repeats === undefined ? { checked, line } : { checked, line, repeats };
  });
}
