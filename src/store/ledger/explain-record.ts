// Explains a record: for each field its former values, and which line of which run set them.
import { recordKey } from '../../core/fields/record-key.js';
import type { ReadShape } from '../../core/import-report.js';
import { type OfferRow, offerId, unpackOffer } from '../../core/ledger/feed-offer.js';
import { findFeedSettings, hasRanking, rememberedFeeds } from '../../core/ledger/feed-ranking.js';
import type { ChangeOfRun, RecordedChange } from '../../core/ledger/recorded-change.js';
import { offerTable } from '../../core/ledger/run-tables.js';
import { keptOut } from '../../core/planning/ranking/field-contest.js';
import { shownValue as shownOffer } from '../../core/planning/ranking/shown-value.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Row, Table } from '../../core/rows/table.js';
import type { Store } from '../store.js';
import { untilLoaded } from '../until-loaded.js';
import { type Describing, describeFields, type RecordRow, rowBefore } from './change-description.js';
import { changesOf } from './change-reader.js';
import { type OfferedRecord, type PassedFrom, passedFrom, type SentFrom, sentFrom } from './explain-passed-from.js';
import { type ReferenceNames, referenceNames } from './reference-names.js';
import { joinReplaced } from './replaced-entries.js';
import { allRuns } from './runs.js';

/** One value in the history of a field. */
export interface FieldHistory {
  /** The field in a read: `price`, `grades[new].price`. '' for the creation of the record. */
  readonly field: string;
  /** The value as a read shows it; undefined if it is unknown, since it was changed without a run. */
  readonly value: unknown;
  readonly before: unknown;
  readonly run: number;
  readonly file: number;
  readonly line: number;
  /** The feed that had sent the value, if the run passed it on. */
  readonly from?: PassedFrom;
}

/** A value of a feed that does not apply, since a higher-ranked feed sends the field too. */
export interface OwnedField extends SentFrom {
  readonly field: string;
  readonly value: unknown;
  readonly feed: string;
  readonly owner: string;
}

export interface ExplainedRecord {
  readonly record: ReadShape;
  /** The history of its fields, the latest value first. */
  readonly fields: FieldHistory[];
  readonly owned: OwnedField[];
  /** The names of the records that the values above refer to. */
  readonly names: ReferenceNames;
}

/** A row of a record as it is now, and then as it was before the changes seen so far. */
type Traced = RecordRow & { row: Row };

/**
 * Explains a record.
 * @param key the record's key, as for a read
 * @returns undefined for an unknown record
 */
export async function explainRecord(
  store: Store,
  resource: Resource,
  key: string,
): Promise<ExplainedRecord | undefined> {
  const found = await store.read((draft) => untilLoaded(draft, () => resource.find({ key }, draft)));
  if (found === undefined) return undefined;
  const changes = await changesOf(store, String(found['id']));
  const runs = new Map((await allRuns(store)).map((run) => [run.number, run]));
  return store.read((draft) =>
    untilLoaded(draft, () => {
      const record = resource.view(found, draft);
      const fields = withSenders(trace(resource, found, changes, draft), { resource, found, changes, runs }, draft);
      const owned = ownedFields({ resource, found, changes, runs }, draft);
      const shown = [...fields, ...owned].map(({ field, value }) => [field, value] as const);
      const former = fields.map(({ field, before }) => [field, before] as const);
      const names = referenceNames(resource, [...shown, ...former, ...Object.entries(record)], draft);
      return { record, fields, owned, names };
    }),
  );
}

/** Adds the feeds whose values were passed on, if feeds are ranked. */
function withSenders(
  fields: readonly FieldHistory[],
  record: Pick<OfferedRecord, 'resource' | 'found' | 'changes' | 'runs'>,
  draft: Draft,
): FieldHistory[] {
  const settings = findFeedSettings(draft);
  return fields.map((one) => {
    const from =
      settings !== undefined && hasRanking(settings) ? passedFrom({ ...record, settings }, one, draft) : undefined;
    return from === undefined ? one : { ...one, from };
  });
}

/** The values of feeds that do not apply to a record, if feeds are ranked. */
function ownedFields(
  record: Pick<OfferedRecord, 'resource' | 'found' | 'changes' | 'runs'>,
  draft: Draft,
): OwnedField[] {
  const { resource, found } = record;
  const settings = findFeedSettings(draft);
  if (settings === undefined || !hasRanking(settings)) return [];
  const key = recordKey(resource.fields, resource.key).same(String(found[resource.key]));
  const rows = new Map<string, OfferRow>();
  for (const feed of rememberedFeeds(settings)) {
    const row = draft.find(offerTable, 'id', offerId(feed, resource.name, key));
    if (row !== undefined) rows.set(feed, row);
  }
  const offers = new Map([...rows].map(([feed, { fields }]) => [feed, unpackOffer(fields, settings.shapes ?? [])]));
  return keptOut({ settings, resource }, offers).map(({ feed, member, value, owner }) => {
    const sent = sentFrom(rows.get(feed) as OfferRow, record);
    return { field: member, value: shownOffer(resource, member, value), feed, owner, ...sent };
  });
}

/** Goes back in time from the stored rows. */
function trace(resource: Resource, stored: Row, changes: readonly ChangeOfRun[], draft: Draft): FieldHistory[] {
  const [root, ...others] = resource.tables as [Table, ...Table[]];
  const children = others.filter(({ parent }) => parent !== undefined);
  const rows: Traced[] = [
    { table: root, isRoot: true, row: stored },
    ...children.flatMap((table) =>
      draft.children(table, String(stored['id'])).map((row) => ({ table, isRoot: false, row })),
    ),
  ];
  const reported = new Map<string, FieldHistory[]>();
  for (const { run, change } of [...changes].reverse()) {
    const keys = Object.entries(change.row);
    const row = rows.find(
      ({ table, row: one }) => table.name === change.table && keys.every(([name, value]) => one[name] === value),
    );
    if (row === undefined) continue;
    const place = `${run} ${change.markAfter} ${change.file} ${change.line}`;
    const known = reported.get(place) ?? [];
    known.push(...explainChange(row, change, run, { resource, draft }));
    reported.set(place, known);
  }
  return [...reported.values()].flatMap(joinReplaced);
}

/** Describes a change, and takes the row back to what it was before. */
function explainChange(traced: Traced, change: RecordedChange, run: number, shape: Describing): FieldHistory[] {
  const { file, line } = change;
  if (change.isNew && traced.isRoot) return [{ field: '', value: undefined, before: undefined, run, file, line }];
  const described = describeFields(traced, change, shape);
  traced.row = rowBefore(traced.row, change);
  return described.map((one) => ({ ...one, run, file, line }));
}
