// Guards: limits on how much of a feed may change in one run. They are compared with a dry run before the first write,
// as shares of the rows of the feed's last accepted run.
import { rewrittenKeysWords } from '../core/diagnostics/warning-codes.js';
import type { FieldChange, Line, Report } from '../core/import-report.js';
import { type AcceptedRows, emptiedFields, type FilledFields } from '../core/ledger/filled-fields.js';
import { ellipsize, groupDigits, sanitizeText } from '../core/text/sanitize.js';
import { damagedText } from './damaged-text.js';
import type { ImportObserver } from './observer.js';
import { type RewrittenKeys, rewrittenKeys } from './rewritten-keys.js';
import { type WidespreadChanges, widespreadChanges } from './widespread-changes.js';

/** A share of more than this many rows whose price changes by this factor or more. */
export interface PriceGuard {
  readonly factor: number;
  readonly share: number;
}

/** The guards of an import, as shares from 0 to 1; an absent one does not apply. */
export interface Guards {
  readonly maxChanged?: number;
  readonly maxCreated?: number;
  readonly maxMissing?: number;
  readonly maxRefused?: number;
  readonly maxPriceChange?: PriceGuard;
  readonly minRows?: number;
}

/** What a run would do to the records of a resource. */
export interface GuardFigures {
  readonly resource: string;
  total: number;
  /** Rows that would change in unknown ways. */
  untold: number;
  /** Which fields the rows have; undefined if it is not known. */
  filled?: FilledFields;
  readonly rewritten: RewrittenKeys;
  readonly widespread: WidespreadChanges;
  readonly found: Readonly<Record<Kind, { count: number; readonly first: string[] }>>;
}

type Kind = 'changed' | 'created' | 'refused' | 'priced' | 'missing' | 'hidden' | 'soldOut' | 'damaged';

/** Maximum offenders shown for each guard. */
const shownAtMost = 20;

/** A guard that stops a run. */
export interface Breach {
  /** The option that sets the guard. */
  readonly option: string;
  /** The finding in figures. */
  readonly words: string;
  readonly offenders: readonly string[];
}

/** Figures of an empty run. */
function noFigures(resource: string): GuardFigures {
  const kind = () => ({ count: 0, first: [] });
  const found = { changed: kind(), created: kind(), refused: kind(), priced: kind(), missing: kind() };
  return {
    ...{ resource, total: 0, untold: 0, rewritten: rewrittenKeys(), widespread: widespreadChanges() },
    found: { ...found, hidden: kind(), soldOut: kind(), damaged: kind() },
  };
}

/** Adds a record that the feed no longer lists; all rows were taken before. */
export function addMissing(figures: GuardFigures, key: string): void {
  addOffender(figures, 'missing', key);
  figures.rewritten.missing(key);
}

/** Adds the records that the feed no longer lists, and to which the values of lower feeds apply instead. */
export function addPassedOn(figures: GuardFigures, { data }: Report, price: PriceGuard | undefined): void {
  for (const line of data) if (line.action === 'updated') takeUpdated(figures, line, 'no longer listed: ', price);
}

/** Adds an offender. @param place where it is, if it is in a file */
function addOffender({ found }: GuardFigures, kind: Kind, words: string, place = ''): void {
  const own = found[kind];
  own.count++;
  if (own.first.length < shownAtMost) own.first.push(place + ellipsize(sanitizeText(words), 100));
}

/** What lines are held against. */
interface GuardedBy {
  readonly price: PriceGuard | undefined;
  /** The identifiers of records whose creation was undone: if they are shown again, they count as created. */
  readonly takenBack: ReadonlySet<string>;
}

/**
 * Makes the observer of a dry run with `diff`.
 * @param namesFiles whether offenders are named with their file, as there are several
 */
export function guardFigures(
  held: GuardedBy,
  namesFiles = false,
): ImportObserver & { readonly figures: ReadonlyMap<string, GuardFigures> } {
  const figures = new Map<string, GuardFigures>();
  let current = noFigures('');
  let prefix = 'line ';
  return {
    figures,
    begin({ resource, file }) {
      current = figures.get(resource.name) ?? noFigures(resource.name);
      figures.set(resource.name, current);
      if (namesFiles) prefix = `${sanitizeText(file)}:`;
    },
    batch({ report, lines }) {
      current.total += report.total;
      report.data.forEach((line, i) => {
        take(current, line, `${prefix}${lines[i] ?? '?'}: `, held);
      });
    },
  };
}

/** Counts a line that a guard limits. */
function take(figures: GuardFigures, line: Line, place: string, { price, takenBack }: GuardedBy): void {
  const { external_id: name } = line;
  if (line.action === 'refused') addOffender(figures, 'refused', `${name}: ${line.code}`, place);
  const comesBack = takenBack.has(line.id ?? '') && line.changes?.some(isShownAgain) === true;
  if (line.action === 'created' || comesBack) {
    addOffender(figures, 'created', comesBack ? `${name}: created again, which was undone` : name, place);
    figures.rewritten.created(name);
  }
  if (line.action !== 'updated' || comesBack) return;
  takeUpdated(figures, line, place, price);
  figures.widespread.take(line.changes ?? [], place + name);
}

/** Counts a record that would change. */
function takeUpdated(figures: GuardFigures, line: Line, place: string, price: PriceGuard | undefined): void {
  const { external_id: name, changes = [] } = line;
  if (line.changes === undefined) figures.untold++;
  const [first] = changes;
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  addOffender(figures, 'changed', first === undefined ? name : `${name}: ${changeWords(first)}${more}`, place);
  const leap = price && changes.find((change) => isLeap(change, price.factor) || isOtherCurrency(change));
  if (leap !== undefined) addOffender(figures, 'priced', `${name}: ${changeWords(leap)}`, place);
  const hidden = changes.find(isHidden);
  if (hidden !== undefined) addOffender(figures, 'hidden', `${name}: ${changeWords(hidden)}`, place);
  const soldOut = changes.find(isSoldOut);
  if (soldOut !== undefined) addOffender(figures, 'soldOut', `${name}: ${changeWords(soldOut)}`, place);
  const damaged = damagedText(changes);
  if (damaged !== undefined) addOffender(figures, 'damaged', `${name}: ${changeWords(damaged)}`, place);
}

function changeWords({ field, from, to }: FieldChange): string {
  return `${field} ${String(from)} → ${String(to)}`;
}

/** Whether a price at least doubled or halved (for factor 2); a change from or to 0 always counts. */
function isLeap({ field, from, to }: FieldChange, factor: number): boolean {
  if (!/(^|\.)price$/.test(field) || !isValue(from)) return false;
  const [before, after] = [Number(from), Number(to)];
  if (before === after || Number.isNaN(before) || Number.isNaN(after)) return false;
  if (before === 0 || after === 0) return true;
  // In cents and thousandths, as they are typed: 0.30 is three times 0.10.
  const [cents, former, times] = [Math.round(after * 100), Math.round(before * 100), Math.round(factor * 1000)];
  return cents * 1000 >= former * times || cents * times <= former * 1000;
}

/** The same number in another currency is another price. */
function isOtherCurrency({ field, from, to }: FieldChange): boolean {
  return field === 'currency' && isValue(from) && from !== to;
}

/** Whether customers no longer see a record that they saw. */
function isHidden({ field, from, to }: FieldChange): boolean {
  return field === 'status' && isShown(from) && !isShown(to);
}

function isShown(status: unknown): boolean {
  return status === 'activated' || status === 'published';
}

/** Whether a record gets another status than that of one which is suspended. */
function isShownAgain({ field, from }: FieldChange): boolean {
  return field === 'status' && (from === 'suspended' || from === 'rejected');
}

function isSoldOut({ field, from, to }: FieldChange): boolean {
  return field === 'stock' && Number(from) > 0 && Number(to) <= 0;
}

function isValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '';
}

const kinds: readonly (readonly [kind: Kind, guard: keyof Guards, option: string, words: string])[] = [
  ['changed', 'maxChanged', '--max-changed', 'would change'],
  ['created', 'maxCreated', '--max-created', 'would be created'],
  ['missing', 'maxMissing', '--max-missing', 'are missing'],
  ['hidden', 'maxMissing', '--max-missing', 'would no longer be shown'],
  ['soldOut', 'maxMissing', '--max-missing', 'would be out of stock'],
  ['damaged', 'maxMissing', '--max-missing', 'would have a damaged text'],
  ['refused', 'maxRefused', '--max-refused', 'would be refused'],
  ['priced', 'maxPriceChange', '--max-price-change', 'would change in price too much'],
];

/** A default guard lets this many records through, whatever their share: one of three rows is no accident. */
const alwaysLetThrough = 5;

/**
 * Compares figures with guards.
 * @param base what the feed's last accepted run read; undefined for its first, where only `minRows` applies
 * @param asked the guards that the user set; the others are defaults of a feed
 */
export function breaches(
  figures: GuardFigures,
  guards: Guards,
  base: AcceptedRows | undefined,
  asked: ReadonlySet<string> = new Set(Object.keys(guards)),
): Breach[] {
  const few = tooFewRows(figures, guards);
  if (base === undefined) return few;
  const more = kinds.flatMap(([kind, name, option, words]): Breach[] => {
    const guard = guards[name];
    const share = typeof guard === 'object' ? guard.share : guard;
    const { count, first } = figures.found[kind];
    if (!isBeyond(count, share, { rows: base.rows, isAsked: asked.has(name) })) return [];
    const most = typeof guard === 'object' ? `${guard.factor}x:${percent(share)}` : percent(share);
    const offenders = [...first, ...(count > first.length ? [`… and ${groupDigits(count - first.length)} more`] : [])];
    const finding = `${groupDigits(count)} ${words}, ${shareWords(count, base.rows)} (limit ${most})`;
    const keys = kind === 'created' || kind === 'missing' ? figures.rewritten.found() : undefined;
    const rewritten = keys === undefined ? '' : rewrittenKeysWords(keys.count, keys.example);
    return [{ option, words: [finding, rewritten].filter(Boolean).join('; '), offenders }];
  });
  return [...few, ...more, ...emptied(figures, guards.maxMissing, base, asked.has('maxMissing'))];
}

/** @returns whether so many records are more than a guard lets through; without a guard they are not */
function isBeyond(
  count: number,
  share: number | undefined,
  { rows, isAsked }: { readonly rows: number; readonly isAsked: boolean },
): share is number {
  // In thousandths of a percent, which shares are typed in: 29 of 100 are not more than 29 %, as 0.29 * 100 would have it.
  if (share === undefined || count === 0 || count * 100_000 <= Math.round(share * 100_000) * rows) return false;
  return isAsked || count > alwaysLetThrough;
}

function tooFewRows({ total }: GuardFigures, { minRows = 0 }: Guards): Breach[] {
  if (total >= minRows) return [];
  const words = `${groupDigits(total)} rows; at least ${groupDigits(minRows)} are expected`;
  return [{ option: '--min-rows', words, offenders: [] }];
}

/** Fields that lack values, as where a column was renamed or emptied: their records would keep old values unnoticed. */
function emptied(
  { filled: now }: GuardFigures,
  share: number | undefined,
  { rows, filled: before }: AcceptedRows,
  isAsked: boolean,
): Breach[] {
  if (now === undefined || before === undefined) return [];
  const offenders = emptiedFields(before, now).flatMap(({ field, count }) =>
    isBeyond(count, share, { rows, isAsked })
      ? [`${field}: ${groupDigits(count)} values fewer, ${shareWords(count, rows)}`]
      : [],
  );
  if (share === undefined || offenders.length === 0) return [];
  const fields = offenders.length === 1 ? '1 field lacks' : `${offenders.length} fields lack`;
  return [
    { option: '--max-missing', words: `${fields} values that the last run had (limit ${percent(share)})`, offenders },
  ];
}

/** `5 % of 1,000`. */
function shareWords(count: number, rows: number): string {
  return `${percent(rows === 0 ? 1 : count / rows)} of ${groupDigits(rows)}`;
}

/** `5 %`, with a decimal unless it is a whole number: 20.4 % is beyond 20 %. */
function percent(share: number): string {
  return `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
}
