// Takes back what feeds offered of a record in runs that are undone: the offer before applies again.
import { appliedFields, offerRanks } from '../planning/ranking/passed-values.js';
import type { Resource } from '../resource.js';
import type { Draft } from '../rows/snapshot.js';
import type { Row, Table } from '../rows/table.js';
import { recordOffer } from './change-log.js';
import type { OfferRow } from './feed-offer.js';
import type { KeptField } from './kept-field.js';
import { type ChangeOfRun, isStill } from './recorded-change.js';
import { offerTable } from './run-tables.js';
import type { RecordHistory, UndoContext } from './undoing.js';

/**
 * Takes the offers of a record back, unless they changed without a run since.
 * @returns the fields that have a value of them because a later run passed it on
 */
export function undoOffers({ id: record, changes }: RecordHistory, draft: Draft, context: UndoContext): KeptField[] {
  const kept: KeptField[] = [];
  for (const [id, own] of offersIn(changes)) {
    if (!own.some(({ run }) => context.concerns(run))) continue;
    const none: OfferRow = { id, record, run: '', line: 0, fields: '', created_at: 0 };
    const stored = draft.find(offerTable, 'id', id);
    const { change: latest } = own.at(-1) as ChangeOfRun;
    if (!isStill(stored?.fields ?? '', latest.after[latest.columns.indexOf('fields')] ?? null)) continue;
    const next = own
      .slice(own.findLastIndex(({ run }) => context.counts(run)) + 1)
      .reduceRight<Row>((row, { change }) => offerBefore(row, change), stored ?? none) as OfferRow;
    if (next.fields === (stored?.fields ?? '')) continue;
    if (stored !== undefined) kept.push(...passedFields({ changes, stored, next }, draft, context));
    draft.save(offerTable, next, stored ?? null);
    recordOffer(context.log, 0, { table: offerTable, before: stored, next });
    loseFingerprint(record, draft, context.resource);
  }
  return kept;
}

function offersIn(changes: readonly ChangeOfRun[]): ReadonlyMap<string, ChangeOfRun[]> {
  const offers = new Map<string, ChangeOfRun[]>();
  for (const one of changes) {
    if (one.change.table !== offerTable.name || !one.change.columns.includes('fields')) continue;
    const id = String(one.change.row['id']);
    offers.set(id, [...(offers.get(id) ?? []), one]);
  }
  return offers;
}

function offerBefore(row: Row, { isNew, columns, before }: ChangeOfRun['change']): Row {
  if (isNew) return { ...row, fields: '', created_at: 0 };
  return { ...row, ...Object.fromEntries(columns.map((name, i) => [name, before[i] ?? null])) };
}

/** Saved as it is, a record loses its fingerprint, which was that of an item decided by the offer. */
function loseFingerprint(record: string, draft: Draft, { tables }: Resource): void {
  const [root] = tables as [Table];
  const row = draft.find(root, 'id', record);
  if (row !== undefined && root.fingerprint?.some((name) => row[name] !== 0)) draft.save(root, { ...row }, row);
}

interface ReplacedOffer {
  readonly changes: readonly ChangeOfRun[];
  readonly stored: OfferRow;
  readonly next: OfferRow;
}

/** The fields that have a value of an offer that is taken back, and that a run which counts passed on. */
function passedFields({ changes, stored, next }: ReplacedOffer, draft: Draft, context: UndoContext): KeptField[] {
  const [root] = context.resource.tables as [Table];
  const ranks = offerRanks(context.resource, draft);
  const row = draft.find(root, 'id', stored.record);
  if (ranks === undefined || row === undefined) return [];
  const own = changes.filter(({ run, change }) => context.concerns(run) && change.table === root.name);
  const set = new Set(own.flatMap(({ change }) => change.columns));
  return appliedFields(ranks, row, { offer: stored, before: next.fields, set }).flatMap((unit) => {
    const by = changes.findLast(({ change }) => change.table === root.name && change.columns.includes(unit));
    return by !== undefined && context.counts(by.run) ? [{ unit, reason: 'changed_since', run: by.run }] : [];
  });
}
