// Values of offers, as reads show them.
import { showDecimal } from '../../fields/decimal.js';
import { notKept } from '../../ledger/feed-offer.js';
import type { Resource } from '../../resource.js';
import type { Draft } from '../../rows/snapshot.js';
import type { WithheldField } from './field-contest.js';

/** A value of an offer as a read shows it; undefined for lists. */
export function shownValue({ fields }: Resource, member: string, value: unknown): unknown {
  const field = fields[member];
  if (field === undefined || field.kind === 'list' || value === notKept) return undefined;
  if (field.kind !== 'decimal') return value ?? '';
  return value === null ? '' : showDecimal(Number(value), field.scale);
}

/** The fields that do not apply and would have changed something. */
export function differing(
  { resource, draft }: { readonly resource: Resource; readonly draft: Draft },
  externalId: string,
  withheld: readonly WithheldField[],
): readonly WithheldField[] {
  if (withheld.length === 0) return withheld;
  const stored = resource.find({ key: externalId }, draft);
  const view = stored === undefined ? {} : resource.view(stored, draft);
  return withheld.filter(({ member, value }) => {
    const shown = shownValue(resource, member, value);
    return shown === undefined || view[member] !== shown;
  });
}
