// How the values of a characteristic, its closed list, are decided.
import { keptHex } from '../fields/text-formats.js';
import type { ChildChange, Task } from '../planning/item-task.js';
import {
  inDisplayOrder,
  type ListedRow,
  type MergedEntry,
  mergeList,
  noticeDeactivated,
} from '../planning/merge-list.js';
import { checkShopReference } from '../planning/references.js';
import type { Snapshot } from '../rows/snapshot.js';
import { fold } from '../text/text.js';
import {
  type CharacteristicRow,
  type ValueEntry,
  type ValueRow,
  valueRecord,
  valueTable,
} from './characteristic-table.js';
import { pages } from './shop.js';

// Decision

/** Merges the sent values with the stored ones, and counts the values of the new list. */
export function decideValues(
  task: Task,
  entries: readonly ValueEntry[],
  stored: CharacteristicRow | undefined,
  next: CharacteristicRow,
): void {
  const rows = stored === undefined ? [] : task.snapshot.children(valueTable, stored.id);
  const merged = mergeList<ValueRow, ValueEntry>(
    task,
    {
      field: 'values',
      word: 'label',
      positions: 'last',
      keyOf: ({ label }) => (label === undefined ? undefined : fold(label)),
      keyOfRow: (row) => row.key,
      create: (entry, record) => newValue(task, record, entry),
      correct: correctValue,
    },
    { record: next.id, stored: rows, entries },
  );
  checkTexts(task, rows, merged);
  next.listed_values = merged.filter((entry) => entry.next.listed === 1).length;
  for (const entry of merged) checkValue(task, entries, entry, next.kind);
  noticeDeactivated(task, 'values', merged);
  for (const { before, next: value } of merged) task.saveChild(valueTable, before, value, change);
}

/**
 * Maximum characters of the notes and links of a characteristic, as of the texts of a product: each import of it reads
 * all of them.
 */
const mostText = 8 * 1024 * 1024;

/** Refuses an item after which its characteristic would keep too long texts, those of earlier lists included. */
function checkTexts(task: Task, stored: readonly ValueRow[], merged: readonly MergedEntry<ValueRow>[]): void {
  const lengthOf = ({ description, link_label: label }: ValueRow): number => description.length + label.length;
  const before = stored.reduce((sum, row) => sum + lengthOf(row), 0);
  const grown = merged.reduce((sum, { before: row, next }) => sum + lengthOf(next) - (row ? lengthOf(row) : 0), 0);
  if (grown > 0 && before + grown > mostText)
    task.refuse('too_many_kept', 'values', undefined, { kept: before + grown, most: mostText, unit: 'characters' });
}

const change: ChildChange = {
  path: (row) => `values[${row['label']}]`,
  show: valueRecord.view,
};

function newValue(task: Task, characteristic: string, entry: ValueEntry): ValueRow & ListedRow {
  const row = valueRecord.newRow(task.snapshot.newId(valueTable), task.environment.now);
  row.characteristic = characteristic;
  row.key = fold(entry.label ?? '');
  return correctValue(row, entry);
}

function correctValue(row: ValueRow, entry: ValueEntry): ValueRow {
  const next = { ...row };
  valueRecord.applySent(entry, next);
  if (entry.hex) next.hex = keptHex(entry.hex);
  return next;
}

function checkValue(task: Task, entries: readonly ValueEntry[], merged: MergedEntry<ValueRow>, kind: string): void {
  const { index, next } = merged;
  const entry = index === undefined ? undefined : entries[index];
  if (entry === undefined) return;
  const path = `values[${index}]`;
  if (kind === 'custom' && entry.hex) {
    task.refuse('hex_not_allowed', `${path}.hex`, entry.hex);
  }
  if (kind === 'colour' && (next.hex === '' || entry.hex === '') && !task.hasProblem(`${path}.hex`)) {
    task.refuse('hex_required', `${path}.hex`);
  }
  checkLink(task, path, entry);
}

/** link_label and link_page are sent together; both '' remove the link. */
function checkLink(task: Task, path: string, entry: ValueEntry): void {
  if (task.hasProblem(`${path}.link_label`) || task.hasProblem(`${path}.link_page`)) return;
  const { link_label: label, link_page: page } = entry;
  if (label === undefined && page === undefined) return;
  if (label === undefined || page === undefined || (label === '') !== (page === null)) {
    const lacking = page === undefined || page === null ? 'link_page' : 'link_label';
    task.refuse('link_incomplete', `${path}.${lacking}`);
  }
  checkShopReference(task, `${path}.link_page`, page, pages);
}

// Read

/** Every listed value, including suspended ones. */
export function listedValues(characteristic: string, snapshot: Snapshot): Readonly<Record<string, unknown>>[] {
  const rows = snapshot.children(valueTable, characteristic).filter(({ listed }) => listed === 1);
  return inDisplayOrder(rows, ({ id }) => id).map((row) => valueRecord.view(row, snapshot));
}
