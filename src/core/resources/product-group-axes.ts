// Selector axes of a product group.
import { choice, type ItemOf, integer, reference, statuses, text } from '../fields/fields.js';
import { identifier, kept, stored } from '../fields/members.js';
import { defineRecord } from '../fields/record-type.js';
import type { ChildChange, Task } from '../planning/item-task.js';
import {
  inDisplayOrder,
  type ListedRow,
  type MergedEntry,
  mergeList,
  noticeDeactivated,
} from '../planning/merge-list.js';
import { refuseReference } from '../planning/references.js';
import type { Snapshot } from '../rows/snapshot.js';
import type { RowOf } from '../rows/table.js';
import { characteristicTable, findCharacteristic } from './characteristic-table.js';

// Declaration

export const axisRecord = defineRecord(
  'product_group_axis',
  {
    id: identifier(),
    product_group: kept(''),
    source: stored(choice('characteristic (default), grade or custom', ['characteristic', 'grade', 'custom']), {
      decided: true,
      readAfter: 'kind',
    }),
    attribute: stored(
      reference('characteristic offered by the axis, by identifier or name', 'characteristic', ['attr_'], {
        byName: true,
      }),
      { column: 'characteristic', decided: true, readAfter: 'source' },
    ),
    name: stored(text('label of a custom axis', { maxBytes: 190, trim: true }), { decided: true }),
    kind: stored(
      choice('pill (default), swatch, card or list; a grade axis is card (default) or list', [
        'pill',
        'swatch',
        'card',
        'list',
      ]),
      { initial: 'pill' },
    ),
    price_mode: stored(choice("price, from, diff, none, or '' for the default", ['price', 'from', 'diff', 'none', ''])),
    position: stored(integer('display order; when omitted the axis goes last'), { decided: true }),
    status: stored(choice('activated (default) or suspended', statuses), { initial: 'activated', decided: true }),
    listed: kept(1),
  },
  { id: ['id'], parent: 'product_group', prefix: 'pgax_' },
);

export const axisTable = axisRecord.table;

type AxisRow = RowOf<typeof axisTable>;

export type AxisEntry = ItemOf<typeof axisRecord.fields>;

// Decision

/** The key of an axis: what it offers. */
type Offer = { readonly source: string; readonly characteristic: string | null; readonly name: string };

/** Merges the axes that were sent with the stored ones; rules hold for the merged axis. */
export function decideAxes(
  task: Task,
  entries: readonly AxisEntry[],
  stored: { readonly id: string } | undefined,
  next: { readonly id: string },
): void {
  const offers = entries.map((entry, i) => offerOf(task, entry, `axes[${i}]`));
  refuseSecondGrade(task, entries);
  const merged = mergeList<AxisRow & ListedRow, AxisEntry & { readonly offer?: Offer }>(
    task,
    {
      field: 'axes',
      word: 'axis',
      positions: 'last',
      keyOf: ({ offer }) => offer && offerKey(offer),
      keyOfRow: offerKey,
      create: ({ offer, ...entry }, record) => correct(newAxis(task, record, offer as Offer), entry),
      correct,
    },
    {
      record: next.id,
      stored: stored === undefined ? [] : task.snapshot.children(axisTable, stored.id),
      // The second grade axis gets a problem of its own.
      entries: entries.map((entry, i) => withOffer(entry, isLaterGrade(entries, i) ? undefined : offers[i])),
    },
  );
  for (const axis of merged) checkAxis(task, entries, axis);
  noticeDeactivated(task, 'axes', merged);
  const change: ChildChange = { path: (row) => `axes[${axisWord(task, row as AxisRow)}]`, show: axisRecord.view };
  for (const { before, next: row } of merged) task.saveChild(axisTable, before, row, change);
}

function withOffer(entry: AxisEntry, offer: Offer | undefined): AxisEntry & { readonly offer?: Offer } {
  return offer === undefined ? entry : { ...entry, offer };
}

function offerKey(offer: Offer): string {
  return `${offer.source}:${offer.characteristic ?? offer.name}`;
}

/** The axis in a path: its characteristic, grade, or its own name. */
function axisWord(task: Task, row: AxisRow): string {
  if (row.source === 'custom') return row.name;
  if (row.characteristic === null) return row.source;
  return findCharacteristic(task.snapshot, row.characteristic)?.name ?? row.characteristic;
}

/** Searches at most 20 axes. */
function isLaterGrade(entries: readonly AxisEntry[], index: number): boolean {
  return entries[index]?.source === 'grade' && entries.findIndex(({ source }) => source === 'grade') < index;
}

/** At most one grade axis per group. */
function refuseSecondGrade(task: Task, entries: readonly AxisEntry[]): void {
  entries.forEach((_, i) => {
    if (!isLaterGrade(entries, i)) return;
    const first = entries.findIndex(({ source }) => source === 'grade');
    task.refuse('grade_axis_repeated', `axes[${i}].source`, undefined, { first: `axes[${first}]` });
  });
}

/** '' counts as not sent where a field is not allowed, so that what was read can be sent back. */
function offerOf(task: Task, entry: AxisEntry, path: string): Offer | undefined {
  if (task.hasProblem(path) || task.hasProblem(`${path}.source`)) return undefined;
  const source = entry.source ?? 'characteristic';
  if (source !== 'characteristic' && entry.attribute) {
    task.refuse('axis_attribute_not_allowed', `${path}.attribute`, entry.attribute, { source });
  }
  if (source === 'custom') return customOffer(task, entry, path);
  // Only a custom axis has a name of its own.
  if (entry.name) task.ignore(`${path}.name`);
  if (source === 'grade') return { source, characteristic: null, name: '' };
  if (task.hasProblem(`${path}.attribute`)) return undefined;
  if (!entry.attribute) {
    task.refuse('axis_attribute_required', `${path}.attribute`);
    return undefined;
  }
  const characteristic = findCharacteristic(task.snapshot, entry.attribute);
  if (characteristic !== undefined) return { source, characteristic: characteristic.id, name: '' };
  refuseReference(task, `${path}.attribute`, entry.attribute, {
    word: 'characteristic',
    prefix: 'attr_',
    accepts: 'name or identifier',
  });
  return undefined;
}

function customOffer(task: Task, entry: AxisEntry, path: string): Offer | undefined {
  if (entry.name) return { source: 'custom', characteristic: null, name: entry.name };
  if (!task.hasProblem(`${path}.name`)) task.refuse('axis_name_required', `${path}.name`);
  return undefined;
}

function newAxis(task: Task, group: string, offer: Offer): AxisRow {
  const row = axisRecord.newRow(task.snapshot.newId(axisTable), task.environment.now);
  row.product_group = group;
  if (offer.source === 'grade') row.kind = 'card';
  return Object.assign(row, offer);
}

function correct(row: AxisRow, entry: AxisEntry): AxisRow {
  const next = { ...row };
  axisRecord.applySent(entry, next);
  return next;
}

/** Rules hold for the merged axis, stored and sent. */
function checkAxis(task: Task, entries: readonly AxisEntry[], { index, next }: MergedEntry<AxisRow>): void {
  if (index === undefined) return;
  const path = `axes[${index}]`;
  const entry = entries[index];
  if (next.source === 'grade' && next.kind !== 'card' && next.kind !== 'list') {
    task.refuse('axis_kind_not_allowed', `${path}.kind`, next.kind);
    return;
  }
  if (task.hasProblem(`${path}.kind`) || task.hasProblem(`${path}.price_mode`) || next.price_mode === '') return;
  const isStored = entry?.price_mode === undefined ? 'yes' : 'no';
  const refuse = (axis: string, ...allowed: readonly string[]) =>
    task.refuse('axis_price_mode_not_allowed', `${path}.price_mode`, next.price_mode, { isStored, axis, allowed });
  if (next.source === 'grade' && next.price_mode === 'from') refuse('grade', 'price', 'diff', 'none', '');
  else if ((next.kind === 'pill' || next.kind === 'swatch') && next.price_mode !== 'none')
    refuse(next.kind, 'none', '');
}

// Read

/** Every axis of a group, each with its status, in display order. */
export function axesOf(group: string, snapshot: Snapshot): Readonly<Record<string, unknown>>[] {
  return inDisplayOrder(snapshot.children(axisTable, group), ({ id }) => id).map((row) =>
    axisRecord.view(row, snapshot),
  );
}

/** The listed axes of a group, with the names of their characteristics. */
export function listedAxes(group: string, snapshot: Snapshot): Readonly<Record<string, unknown>>[] {
  const rows = snapshot.children(axisTable, group).filter(({ listed }) => listed === 1);
  return inDisplayOrder(rows, ({ id }) => id).map((row) => ({
    ...axisRecord.view(row, snapshot),
    attribute_name:
      row.characteristic === null ? '' : (snapshot.find(characteristicTable, 'id', row.characteristic)?.name ?? ''),
  }));
}
