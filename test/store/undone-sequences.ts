// Sequences of runs and undos that were once undone wrongly.
import type { Ranking } from './undo-model.js';

export const skus = ['A', 'B', 'C'] as const;
/** A and B have fields of their own, C has grades. */
export const fields = ['name', 'price', 'stock', 'note', 'status'] as const;

export interface Run {
  /** `w` only updates products. Where feeds are ranked, it owns their stock, and sends nothing else. */
  readonly feed: '' | 'erp' | 'a' | 'w';
  readonly lists: Readonly<Partial<Record<(typeof skus)[number], readonly string[]>>>;
  readonly suspends: boolean;
  readonly isRecorded: boolean;
  /** Whether the feed sends again what it sent of a product last. */
  readonly repeats?: boolean;
}
export type Action = Run | { readonly undoes: readonly number[]; readonly since: boolean };

export const sent = (feed: Run['feed'], lists: Run['lists'], suspends = false): Run => ({
  ...{ feed, lists, suspends, isRecorded: true },
});
export const repeated = (feed: Run['feed'], lists: Run['lists']): Run => ({ ...sent(feed, lists), repeats: true });
export const unrecorded = (lists: Run['lists'], feed: Run['feed'] = ''): Run => ({
  ...{ feed, lists, suspends: false, isRecorded: false },
});
export const undone = (...undoes: readonly number[]) => ({ undoes, since: false });
const undoneSince = (first: number) => ({ undoes: [first], since: true });

/** Sequences that were once undone wrongly where feeds are not ranked. */
const knownOfUnranked: readonly (readonly Action[])[] = [
  // A status that a record regained was not given by the run that listed it.
  [
    ...[sent('', { C: ['status'] }), undoneSince(0), undoneSince(0), sent('', { C: ['good'] })],
    ...[sent('', { C: ['status'] }), undone(4, 1)],
  ],
  // A change without history may have left the value of an undone run.
  [
    ...[sent('', { B: ['Colour'] }), unrecorded({ B: ['status'] })],
    ...[sent('', { B: ['Capacity', 'Colour'] }), sent('', { B: ['Capacity', 'Colour'] }), undone(0, 2), undone(1)],
  ],
  // A run that suspends is brought back, after a change without history.
  [
    ...[unrecorded({ A: ['status'] }), sent('erp', { A: ['status'] }), unrecorded({ A: ['status', 'Colour'] })],
    ...[sent('erp', { C: ['good'] }, true), undoneSince(1), undoneSince(26), undoneSince(0)],
  ],
  // A record that was suspended and regained its status has that of its creation, which is undone.
  [
    ...[sent('erp', { B: ['status', 'Colour'] }), sent('erp', { C: ['name'] }, true), sent('', { B: ['note'] })],
    ...[undoneSince(1), undone(0, 3)],
  ],
  // An earlier undo suspended a record for a run that is undone now, and that did not change it itself.
  [
    ...[sent('erp', { C: ['status'] }), sent('', { C: ['status'] }), sent('erp', { B: ['Colour'] }, true)],
    ...[undone(1), undone(2)],
  ],
  // A record was there only since its feed listed it, which is undone.
  [
    ...[sent('', { C: [] }), sent('erp', { C: [] }), undoneSince(0), undoneSince(0), undone(2, 0), undone(1)],
    undoneSince(0),
  ],
  // A record whose creation was undone came to be suspended as missing, and was listed without history since.
  [
    ...[sent('erp', { C: ['status'] }), sent('', {}), undoneSince(0), undoneSince(0), sent('erp', { B: [] }, true)],
    ...[undone(2), unrecorded({ C: [] }), undoneSince(0)],
  ],
];

export const unranked: Ranking = { order: [], own: {} };
export const erpFirst: Ranking = { order: ['erp', 'a'], own: {} };
export const withOwner: Ranking = { order: ['erp', 'a'], own: { w: ['stock'] } };
export const aFirst: Ranking = { order: ['a', 'erp'], own: { erp: ['stock', 'attributes'] } };

/** Sequences that were once undone wrongly where `erp` is above `a`. */
const knownOfErpFirst: readonly (readonly Action[])[] = [
  // What a person changed stays, where the run that passed the field on would have had nothing to pass on.
  [
    ...[sent('a', { A: ['stock', 'Capacity'] }), sent('erp', { A: ['stock', 'status'] })],
    ...[sent('', { A: ['stock', 'Colour'] }), sent('erp', { C: ['good'] }), undone(1), undoneSince(0)],
  ],
  // So do a price and a stock that follow from grades, even where the stock was the same before.
  [
    ...[sent('a', { C: ['new', 'status'] }), sent('erp', { C: ['status'] }), sent('', { C: ['good'] })],
    ...[sent('', { C: ['name'] }), sent('erp', { B: ['Capacity'] }), undone(1)],
  ],
  [
    sent('a', { A: ['price', 'stock', 'note'], C: ['new', 'status'] }),
    sent('erp', { C: ['new', 'good', 'name', 'status'] }),
    sent('', { B: ['name', 'price', 'stock', 'Capacity'], C: ['good'] }),
    ...[sent('', { C: ['name'] }), sent('erp', { B: ['Capacity'] }), undone(1)],
  ],
  // An earlier undo gave the record the grades of a run that is undone now, and others emptied them since.
  ...[unrecorded({ C: ['status'] }), sent('', { C: ['status'] }), sent('erp', { C: ['status'] })].map((emptying) => [
    ...[sent('erp', { C: ['good', 'name'] }), sent('a', { C: ['good'] }), undone(0)],
    ...[emptying, undone(1), undoneSince(0)],
  ]),
  // What a feed sent and no longer lists never applied, since another feed created the record.
  [
    ...[sent('erp', { B: ['Capacity', 'Colour'] }), sent('a', { B: ['Capacity'] }), sent('a', { C: ['good'] })],
    ...[undoneSince(0), undoneSince(3), undone(0)],
  ],
  // The status that a feed sent was kept out, and a change without history may have left that of the undone run.
  [
    ...[sent('erp', { A: ['status', 'Capacity'] }), sent('a', { A: ['status', 'Colour'] }), sent('', { A: ['note'] })],
    ...[unrecorded({ A: ['Colour'] }), undone(0)],
  ],
  // A run would have passed a value on, had another not been or been undone then, but changed nothing.
  [
    ...[sent('erp', { B: ['Capacity'] }), sent('a', { B: ['Capacity', 'Colour'] }), sent('a', { C: ['status'] })],
    ...[sent('erp', { C: ['status'] }), sent('a', { B: ['Colour'] }), undone(2)],
  ],
  ...[0, 1].map((first) => [
    ...[sent('a', { B: ['Capacity'] }), sent('erp', { B: ['Capacity'] }), sent('', {}), undoneSince(first)],
    ...[sent('erp', { C: ['new'] }), sent('a', { C: ['status'] }), undone(3)],
  ]),
  // A run sent what an undone one had left, and changed nothing.
  [
    ...[sent('', { C: [] }), undone(0), sent('erp', { C: ['status'] }), sent('erp', { B: [] })],
    ...[repeated('erp', { C: [] }), undone(2)],
  ],
  // A run passed on what a person had set.
  [
    ...[sent('a', { C: ['status'] }), sent('erp', { C: ['status'] }), sent('', { C: ['status'] })],
    ...[sent('erp', { C: [] }), sent('a', { C: [] }), undone(2)],
  ],
  // A change without history may have left what a lower feed would not have given.
  [
    ...[sent('erp', { B: ['name'] }), sent('erp', { A: [] }), sent('a', { B: ['name'] }), sent('', { B: ['Colour'] })],
    ...[unrecorded({ B: ['Colour'] }), undone(1)],
  ],
  // A run sent a status that it did not change, beside values that it changed.
  [
    ...[unrecorded({ B: [] }), sent('', {}), sent('', { B: ['status'] }), sent('erp', { B: ['status', 'Colour'] })],
    ...[undoneSince(0), undone(1), repeated('erp', { B: [] }), undone(10), undoneSince(0)],
  ],
  // What a feed sent was there before the history of the record, and was changed without history since.
  [
    ...[unrecorded({ C: ['name'] }, 'a'), repeated('a', { C: [] }), unrecorded({ C: ['name'] })],
    ...[undoneSince(0), undoneSince(1)],
  ],
  // A run no longer listed what an earlier one had listed that was undone then, and is not any more.
  [
    ...[sent('', {}), sent('erp', { B: ['Capacity'] }), undoneSince(0), undoneSince(0), sent('erp', { C: [] })],
    ...[undone(2, 0), sent('a', { B: ['Capacity'] }), undone(4)],
  ],
  // A run sent again, without changing the record, what an undone one had sent, and is brought back after both were undone.
  [
    ...[sent('erp', { B: ['status'] }), sent('erp', { C: [] }), repeated('erp', { B: [] }), undoneSince(0), undone(2)],
    ...[undoneSince(0), undoneSince(16)],
  ],
  [
    ...[sent('erp', { B: ['price', 'status'] }), sent('erp', { C: [] }), repeated('erp', { B: [] }), undone(0)],
    ...[undone(2), undone(4)],
  ],
  // So it is, and its feed suspended the record since.
  [
    ...[sent('erp', { B: ['price', 'status'] }), sent('erp', { C: [] }), repeated('erp', { B: [] })],
    ...[sent('erp', { C: [] }, true), undone(0), undone(2), undone(3), undone(5, 6)],
  ],
  // A run gave grades that a higher feed would have emptied, and a change without history emptied them since.
  [
    ...[sent('a', { C: ['good'] }), sent('erp', { C: [] }), undoneSince(0), repeated('a', { C: [] })],
    ...[unrecorded({ C: [] }), undone(2, 0)],
  ],
  // A change without history may have left the status of a run that a higher feed would have kept out.
  [
    ...[unrecorded({ B: [] }), sent('a', { B: ['status'] }), sent('erp', { B: ['status'] }), undoneSince(0)],
    ...[repeated('a', { B: [] }), unrecorded({ B: ['stock'] }), undone(2, 0)],
  ],
  // A price and a stock follow from grades that are restored: they were called kept.
  [
    ...[sent('erp', { C: ['good'] }), undoneSince(0), sent('', {}), undoneSince(4), repeated('erp', { C: [] })],
    ...[undoneSince(0), undoneSince(0), undoneSince(0), sent('', {}), undone(23, 0)],
  ],
];

/** Sequences that were once undone wrongly where `a` is above `erp`. */
const knownOfAFirst: readonly (readonly Action[])[] = [
  // A run would have given a value that was kept out then, and a change without history may have given another one since.
  [
    ...[unrecorded({ B: [] }), sent('a', { B: ['note'] }), sent('erp', { B: ['note'] }), undoneSince(0)],
    ...[unrecorded({ B: ['price'] }), undone(2, 0)],
  ],
];

export const known: readonly (readonly [Ranking, readonly Action[]])[] = [
  ...knownOfUnranked.map((one) => [unranked, one] as const),
  ...knownOfErpFirst.map((one) => [erpFirst, one] as const),
  ...knownOfAFirst.map((one) => [aFirst, one] as const),
];
