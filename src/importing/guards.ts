// Guards: limits on how much of a feed may change in one run. They are compared with a dry run before the first write,
// as shares of the rows of the feed's last accepted run.
import { CatalogError } from '../core/errors.js';
import type { FieldChange, Line } from '../core/import-report.js';
import { ellipsize, groupDigits, sanitizeText } from '../core/text/sanitize.js';
import type { ImportObserver } from './observer.js';

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
  readonly found: Readonly<Record<Kind, { count: number; readonly first: string[] }>>;
}

type Kind = 'changed' | 'created' | 'refused' | 'priced' | 'missing';

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
  return { resource, total: 0, untold: 0, found };
}

/** Adds an offender. */
export function addOffender({ found }: GuardFigures, kind: Kind, words: string): void {
  const own = found[kind];
  own.count++;
  if (own.first.length < shownAtMost) own.first.push(ellipsize(sanitizeText(words), 100));
}

/** Makes the observer of a dry run with `diff`. */
export function guardFigures(
  price: PriceGuard | undefined,
): ImportObserver & { readonly figures: ReadonlyMap<string, GuardFigures> } {
  const figures = new Map<string, GuardFigures>();
  let current = noFigures('');
  return {
    figures,
    begin({ resource }) {
      current = figures.get(resource.name) ?? noFigures(resource.name);
      figures.set(resource.name, current);
    },
    batch({ report, lines }) {
      current.total += report.total;
      report.data.forEach((line, i) => {
        take(current, line, `line ${lines[i] ?? '?'}: ${line.external_id}`, price);
      });
    },
  };
}

function take(figures: GuardFigures, line: Line, name: string, price: PriceGuard | undefined): void {
  if (line.action === 'refused') addOffender(figures, 'refused', `${name}: ${line.code}`);
  if (line.action === 'created') addOffender(figures, 'created', name);
  if (line.action !== 'updated') return;
  const { changes = [] } = line;
  if (line.changes === undefined) figures.untold++;
  const [first] = changes;
  const more = changes.length > 1 ? ` and ${changes.length - 1} more` : '';
  addOffender(figures, 'changed', first === undefined ? name : `${name}: ${changeWords(first)}${more}`);
  const leap = price && changes.find((change) => isLeap(change, price.factor));
  if (leap !== undefined) addOffender(figures, 'priced', `${name}: ${changeWords(leap)}`);
}

function changeWords({ field, from, to }: FieldChange): string {
  return `${field} ${String(from)} → ${String(to)}`;
}

/** Whether a price at least doubled or halved (for factor 2); a change from or to 0 always counts. */
function isLeap({ field, from, to }: FieldChange, factor: number): boolean {
  if (!/(^|\.)price$/.test(field) || from === null || from === undefined || from === '') return false;
  const [before, after] = [Number(from), Number(to)];
  if (before === after || Number.isNaN(before) || Number.isNaN(after)) return false;
  if (before === 0 || after === 0) return true;
  return after >= before * factor || after * factor <= before;
}

const kinds: readonly (readonly [kind: Kind, guard: keyof Guards, option: string, words: string])[] = [
  ['changed', 'maxChanged', '--max-changed', 'would change'],
  ['created', 'maxCreated', '--max-created', 'would be created'],
  ['missing', 'maxMissing', '--max-missing', 'are missing'],
  ['refused', 'maxRefused', '--max-refused', 'would be refused'],
  ['priced', 'maxPriceChange', '--max-price-change', 'would change in price too much'],
];

/** A default guard lets this many records through, whatever their share: one of three rows is no accident. */
const alwaysLetThrough = 5;

/**
 * Compares figures with guards.
 * @param base rows of the feed's last accepted run; undefined for its first, where only `minRows` applies
 * @param asked the guards that the user set; the others are defaults of a feed
 */
export function breaches(
  figures: GuardFigures,
  guards: Guards,
  base: number | undefined,
  asked: ReadonlySet<string> = new Set(Object.keys(guards)),
): Breach[] {
  const { minRows = 0 } = guards;
  const few =
    figures.total < minRows
      ? [
          {
            option: '--min-rows',
            words: `${groupDigits(figures.total)} rows; at least ${groupDigits(minRows)} are expected`,
            offenders: [],
          },
        ]
      : [];
  if (base === undefined) return few;
  const more = kinds.flatMap(([kind, name, option, words]): Breach[] => {
    const guard = guards[name];
    const share = typeof guard === 'object' ? guard.share : guard;
    const { count, first } = figures.found[kind];
    if (share === undefined || count === 0 || count <= share * base) return [];
    if (!asked.has(name) && count <= alwaysLetThrough) return [];
    const most = typeof guard === 'object' ? `${guard.factor}x:${percent(share)}` : percent(share);
    const reported = `${groupDigits(count)} ${words}, ${percent(base === 0 ? 1 : count / base)} of ${groupDigits(base)} (limit ${most})`;
    return [
      {
        option,
        words: reported,
        offenders: [...first, ...(count > first.length ? [`… and ${groupDigits(count - first.length)} more`] : [])],
      },
    ];
  });
  return [...few, ...more];
}

/** `5 %`, with a decimal for small shares. */
function percent(share: number): string {
  const value = share * 100;
  return `${Number.isInteger(value) || value >= 10 ? Math.round(value) : value.toFixed(1)} %`;
}

/** The failure of a run that guards stop. */
export class GuardStopped extends CatalogError {
  constructor(
    readonly guarded: string,
    readonly found: readonly Breach[],
    end = '',
  ) {
    super('guard_stopped', `${guarded}: stopped by a guard; nothing was written.\n${breachWords(found)}${end}`);
  }

  /** The same failure, with the command that continues. */
  goingOn(command: string, remark = ''): GuardStopped {
    return new GuardStopped(this.guarded, this.found, `${remark}If this is as it should be, go on with:\n  ${command}`);
  }
}

/** The findings of guards as lines, each with its figures and first offenders. */
export function breachWords(found: readonly Breach[]): string {
  return found
    .map(({ option, words, offenders }) => `  ${option}: ${words}\n${offenders.map((one) => `    ${one}\n`).join('')}`)
    .join('');
}
