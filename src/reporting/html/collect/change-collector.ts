// Summarizes the changes that `--diff` reports: how far prices move, which move most, and how stock and status change.
import type { FieldChange } from '../../../core/import-report.js';
import type { ChangesReport, Jump, LinePlace } from '../run-report.js';

const mostJumps = 20;
const mostKinds = 200;

/** Buckets of price changes, as upper bounds of new ÷ old. */
const buckets = [
  { label: 'to a tenth or less', short: ['÷10', 'or more'], below: 0.105 },
  { label: '−90 to −50 %', short: ['−90', 'to −50 %'], below: 0.5 },
  { label: '−50 to −20 %', short: ['−50', 'to −20 %'], below: 0.8 },
  { label: '−20 to −10 %', short: ['−20', 'to −10 %'], below: 0.9 },
  { label: '−10 to −5 %', short: ['−10', 'to −5 %'], below: 0.95 },
  { label: '−5 to 0 %', short: ['−5', 'to 0 %'], below: 1 },
  { label: '0 to +5 %', short: ['0', 'to +5 %'], below: 1.05 },
  { label: '+5 to +10 %', short: ['+5', 'to +10 %'], below: 1.1 },
  { label: '+10 to +20 %', short: ['+10', 'to +20 %'], below: 1.2 },
  { label: '+20 to +50 %', short: ['+20', 'to +50 %'], below: 1.5 },
  { label: '+50 to +100 %', short: ['+50', 'to +100 %'], below: 2 },
  { label: '×2 to ×10', short: ['×2', 'to ×10'], below: 9.5 },
  { label: '×10 and more', short: ['×10', 'or more'], below: Number.POSITIVE_INFINITY },
  // From zero there is no factor.
  { label: 'from 0', short: ['from', '0'], below: Number.NaN },
] as const;

/** Of a product with grades these come from its grades, whose changes are counted themselves. */
const fromGrades: ReadonlySet<string> = new Set(['price', 'stock']);

/** Factors that a misread decimal sign, or cents instead of units, produces. */
const powers = [
  { factor: '×100', ratio: 100 },
  { factor: '×10', ratio: 10 },
  { factor: '÷10', ratio: 0.1 },
  { factor: '÷100', ratio: 0.01 },
] as const;

export interface ChangeCollector {
  add(changes: readonly FieldChange[], key: string, place: LinePlace): void;
  report(): ChangesReport;
}

export function changeCollector(): ChangeCollector {
  const prices = priceCollector();
  const stock = new Map<string, number>();
  const status = new Map<string, number>();
  /** In how many records each field changes. */
  const fields = new Map<string, number>();
  let records = 0;
  return {
    add(changes, key, place) {
      records++;
      const kinds = new Set<string>();
      const named = changes.map((change) => ({ ...change, name: change.field.replace(/^.*\]\./, '') }));
      for (const { field, from, to, name } of named) {
        if (fromGrades.has(field) && named.some((other) => other.name === name && other.field !== field)) continue;
        kinds.add(field.replace(/\[.*\]/, '[]'));
        if (name === 'price' && isAmount(from) && isAmount(to))
          prices.add({ key, field, from: Number(from), to: Number(to), ...place });
        else if (name === 'stock') bump(stock, stockWords(Number(from ?? 0), Number(to ?? 0)));
        else if (name === 'status') bump(status, JSON.stringify([String(from ?? ''), String(to ?? '')]));
      }
      for (const kind of kinds) bump(fields, kind);
    },
    report: () => ({
      records,
      prices: prices.report(),
      stock: mostFirst(stock).map(([what, count]) => ({ what, count })),
      status: mostFirst(status).map(([pair, count]) => {
        const [from = '', to = ''] = JSON.parse(pair) as string[];
        return { from, to, count };
      }),
      fields: mostFirst(fields).map(([field, count]) => ({ field, count })),
    }),
  };
}

/** Sums up how prices move. */
function priceCollector() {
  const counts = new Array<number>(buckets.length).fill(0);
  const byPower = new Map<string, number>();
  let jumps: Jump[] = [];
  let [changed, up] = [0, 0];
  return {
    add(jump: Jump): void {
      const { from, to } = jump;
      changed++;
      if (to > from) up++;
      const ratio = to / from;
      const found = buckets.findIndex(({ below }) => ratio < below);
      const bucket = found === -1 ? buckets.length - 1 : found;
      counts[bucket] = (counts[bucket] ?? 0) + 1;
      if (from <= 0) return;
      const power = powers.find(({ ratio: exact }) => Math.abs(ratio / exact - 1) < 0.02);
      if (power !== undefined) bump(byPower, power.factor);
      if (jumps.length === mostJumps && distance(jump) <= distance(jumps.at(-1) as Jump)) return;
      jumps = [...jumps, jump].sort((a, b) => distance(b) - distance(a)).slice(0, mostJumps);
    },
    report: (): ChangesReport['prices'] => ({
      changed,
      up,
      down: changed - up,
      buckets: buckets
        .map(({ label, short }, i) => ({ label, short, count: counts[i] ?? 0, direction: i < 6 ? -1 : 1 }) as const)
        .filter(({ label, count }) => label !== 'from 0' || count > 0),
      jumps,
      powers: powers.flatMap(({ factor }) => {
        const count = byPower.get(factor) ?? 0;
        return count === 0 ? [] : [{ factor, count }];
      }),
    }),
  };
}

/** The size of a price change, up and down alike; to zero is larger than anything. */
function distance({ from, to }: Pick<Jump, 'from' | 'to'>): number {
  // Rounded, so that ×10 and ÷10 are equally large.
  return to <= 0 ? Number.POSITIVE_INFINITY : Math.round(Math.abs(Math.log(to / from)) * 1e9);
}

function isAmount(value: unknown): boolean {
  return typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value);
}

function stockWords(from: number, to: number): string {
  if (to <= 0 && from > 0) return 'sold out';
  if (from <= 0 && to > 0) return 'back in stock';
  return to > from ? 'more than before' : 'less than before';
}

function bump(counts: Map<string, number>, name: string): void {
  const before = counts.get(name);
  if (before !== undefined || counts.size < mostKinds) counts.set(name, (before ?? 0) + 1);
}

/** The entries of a count, the most frequent first. */
export function mostFirst(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort((a, b) => b[1] - a[1]);
}
