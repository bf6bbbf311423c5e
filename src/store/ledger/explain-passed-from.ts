// Finds out of which feed's offer a value came that a run of another feed passed on: by the offers as they were after that run.
import { recordKey } from '../../core/fields/record-key.js';
import {
  type FeedOffer,
  fieldOf,
  lineOfOffer,
  notKept,
  type OfferRow,
  offerId,
  unpackOffer,
} from '../../core/ledger/feed-offer.js';
import { byStrength, type FeedSettings, rememberedFeeds } from '../../core/ledger/feed-ranking.js';
import type { ChangeOfRun } from '../../core/ledger/recorded-change.js';
import { offerTable, runNumber } from '../../core/ledger/run-tables.js';
import { keptOut } from '../../core/planning/ranking/field-contest.js';
import { shownValue } from '../../core/planning/ranking/shown-value.js';
import type { Resource } from '../../core/resource.js';
import type { Draft } from '../../core/rows/snapshot.js';
import type { Row } from '../../core/rows/table.js';
import { fold } from '../../core/text/text.js';
import { rowBefore } from './change-description.js';
import type { LedgerRun } from './runs.js';

/** The run and the line that sent a value. */
export interface SentFrom {
  readonly run: number;
  /** The index among the files of the run; -1 if it is not known. */
  readonly file: number;
  readonly line: number;
}

/** The feed that sent a value, and where. */
export interface PassedFrom extends SentFrom {
  readonly feed: string;
}

/** A value in the history of a record. */
interface GivenValue {
  readonly field: string;
  readonly value: unknown;
  readonly run: number;
}

/** A record with its changes, the earliest first. */
export interface OfferedRecord {
  readonly resource: Resource;
  readonly found: Row;
  readonly changes: readonly ChangeOfRun[];
  readonly settings: FeedSettings;
  readonly runs: ReadonlyMap<number, LedgerRun>;
}

/** The feed whose offer a value came from; undefined if the feed of the run sent it itself, or if it is not known. */
export function passedFrom(record: OfferedRecord, given: GivenValue, draft: Draft): PassedFrom | undefined {
  const { resource, settings, runs } = record;
  const run = runs.get(given.run);
  if (given.field === '' || run === undefined || run.feed === '' || run.detail.undoes !== undefined) return undefined;
  const rows = offersAfter(record, given.run, draft);
  const offers = new Map([...rows].map(([feed, { fields }]) => [feed, unpackOffer(fields, settings.shapes ?? [])]));
  const member = memberOf(given.field);
  if (offers.get(run.feed)?.has(member) === true) return undefined;
  const lost = new Set(keptOut({ settings, resource }, offers).map((one) => `${one.feed}/${one.member}`));
  const [feed] = [...offers.keys()]
    .filter((name) => name !== run.feed && !lost.has(`${name}/${member}`))
    .filter((name) => isOffered(resource, offers.get(name) as FeedOffer, { ...given, member }))
    .sort(byStrength(settings, fieldOf(member)));
  const row = feed === undefined ? undefined : rows.get(feed);
  if (feed === undefined || row === undefined) return undefined;
  const sent = sentFrom(row, record, given.run);
  return sent.run >= given.run ? undefined : { feed, ...sent };
}

/**
 * Where an offer was sent. Over HTTP its row has the latest run that sent the same: the change that made it so tells the first.
 * @param until the run after which it stood
 */
export function sentFrom(
  row: OfferRow,
  { changes, runs }: Pick<OfferedRecord, 'changes' | 'runs'>,
  until = Number.POSITIVE_INFINITY,
): SentFrom {
  const of = (run: number) => runs.get(run)?.detail.undoes === undefined && run <= until;
  const own = changes.filter(
    ({
      run,
      change: {
        table,
        row: { id },
      },
    }) => table === offerTable.name && id === row.id && of(run),
  );
  const known = own.findLast(({ run }) => run === runNumber(row.run)) ?? own.at(-1);
  if (known === undefined) return { run: runNumber(row.run), file: -1, line: lineOfOffer(row) };
  return { run: known.run, file: known.change.file, line: known.change.line };
}

/** The member of an offer for a field of a read: `grades` for `grades[new].price`; each characteristic is a member of its own. */
function memberOf(field: string): string {
  const name = fieldOf(field);
  return name === 'attributes' && name !== field ? fold(field.slice(0, field.lastIndexOf(']') + 1)) : name;
}

/** Whether an offer has a value. Values of lists, and names of other records, are not compared. */
function isOffered(resource: Resource, offer: FeedOffer, { member, value }: GivenValue & { readonly member: string }) {
  if (!offer.has(member) || offer.get(member) === notKept) return false;
  const shown = shownValue(resource, member, offer.get(member));
  return shown === undefined || resource.fields[member]?.kind === 'reference' || shown === (value ?? '');
}

/** The offers of all feeds for a record as they were after a run. */
function offersAfter({ resource, found, changes, settings }: OfferedRecord, run: number, draft: Draft) {
  const key = recordKey(resource.fields, resource.key).same(String(found[resource.key]));
  const offers = new Map<string, OfferRow>();
  for (const feed of rememberedFeeds(settings)) {
    const id = offerId(feed, resource.name, key);
    const later = changes.filter((one) => one.run > run && one.change.table === offerTable.name);
    const none: Row = { id, record: String(found['id']), run: '', line: 0, fields: '', created_at: 0 };
    const former = later
      .filter(({ change }) => change.row['id'] === id)
      .reduceRight<Row>(
        (row, { change }) => (change.isNew ? none : rowBefore(row, change)),
        draft.find(offerTable, 'id', id) ?? none,
      ) as OfferRow;
    if (former.fields !== '') offers.set(feed, former);
  }
  return offers;
}
