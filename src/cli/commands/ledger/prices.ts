// `prices`: the prices that a product had, each with when it began and by which line of which run.
import { type Command, Option } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { showDecimal } from '../../../core/fields/decimal.js';
import type { PricePeriod } from '../../../core/ledger/price-periods.js';
import { sinceForms } from '../../../core/reading/parse-since.js';
import { product } from '../../../core/resources/product.js';
import { sanitizeText } from '../../../core/text/sanitize.js';
import { textTable, wrapped } from '../../../reporting/formats/text-table.js';
import { shownTime } from '../../../reporting/shown-time.js';
import type { ProductPrices } from '../../../store/ledger/product-prices.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import { addLedgerOption, parseTime, withLedger } from '../../ledger-target.js';
import { type ListForm, listForms, recordWriter } from '../../list/list-writer.js';
import { addExamples, addQuiet, type TargetOptions } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { type RecordKeyFlags, selectorsOf } from '../../record-selector.js';
import { parseResource } from '../../resource-argument.js';
import { placeJson } from './place-of-change.js';

interface PricesFlags extends TargetOptions, RecordKeyFlags {
  readonly since?: number;
  readonly output: ListForm;
}

export function definePrices(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Shows the prices that a product and its grades had, the latest first: when each began, and by which run and line. ' +
        'Where a price is not known, that is shown, too: before the product was in the catalog, and where no run that is kept ' +
        'tells it.',
    )
    .argument('<resource>', product.command)
    .argument('[key]', 'SKU or identifier of the product')
    .option('--sku <sku>', 'SKU of the product')
    .option('--external-id <id>', 'the same as --sku')
    .option('--id <identifier>', 'identifier of the product')
    .option('--since <time>', `only prices that applied since: ${sinceForms}`, parseTime)
    .addOption(new Option('--output <form>', 'form of the list').choices(listForms).default('table'));
  addQuiet(addLedgerOption(command), 'query');
  addExamples(command, [
    ['prices product PHONE-64 --since 30d', 'every price of the last 30 days'],
    ['prices product --sku PHONE-64 --output csv', 'all prices that are known, for a spreadsheet'],
  ]);
  command.action((word: string, key: string | undefined, flags: PricesFlags) => {
    parseResource(word, [product], 'prices');
    return prices(key, flags, process);
  });
}

async function prices(key: string | undefined, flags: PricesFlags, process: NodeJS.Process): Promise<void> {
  const selectors = selectorsOf('prices', product, key, flags);
  const now = Math.floor(Date.now() / 1000);
  const { found, runs } = await withLedger(flags, process.env, async (ledger) => {
    let prices: ProductPrices | undefined;
    for (const selector of selectors) prices ??= await ledger.prices(selector, now);
    return { found: prices, runs: await ledger.runs() };
  });
  if (found === undefined) throw new CatalogError('not_found', `${product.title} not found.`);
  const { since = 0 } = flags;
  const periods = found.periods.filter(({ until }) => until === null || until > since);
  const byNumber = new Map(runs.map((run) => [run.number, run]));
  if (flags.output === 'table') process.stdout.write(asTable(periods, byNumber, found, process));
  else {
    const writer = recordWriter(flags.output, columns);
    const records = periods.map((period) => asRecord(period, byNumber));
    process.stdout.write(writer.begin() + writer.records(records) + writer.end());
  }
}

const columns = [
  ...['field', 'since', 'until', 'price', 'price_compare', 'currency', 'status'],
  ...['run', 'command', 'feed', 'file', 'line', 'unknown'],
];

type Runs = ReadonlyMap<number, LedgerRun>;

/** A price, with its times in Unix seconds. */
function asRecord({ origin, ...period }: PricePeriod, runs: Runs) {
  const { field, since, until, currency, status, unknown } = period;
  const run = origin === null ? undefined : runs.get(origin.run);
  const { file } = run?.detail.undoes === undefined ? placeJson(run, origin ?? { file: 0, line: 0 }) : { file: '' };
  return {
    ...{ field, since, until, price: amount(period.price), price_compare: amount(period.price_compare) },
    ...{ currency, status, run: origin?.run ?? null, command: run?.detail.command ?? '', feed: run?.feed ?? '' },
    ...{ file, line: origin?.line || null, unknown },
  };
}

function amount(cents: number | null): string | null {
  return cents === null ? null : showDecimal(cents, 2);
}

const reasons: Readonly<Record<NonNullable<PricePeriod['unknown']>, string>> = {
  before_catalog: 'not in the catalog',
  not_recorded: 'not known: no run that is kept recorded it',
};

function asTable(
  periods: readonly PricePeriod[],
  runs: Runs,
  { record }: ProductPrices,
  process: NodeJS.Process,
): string {
  const hasGrades = periods.some(({ field }) => field !== 'price');
  const head = ['since', ...(hasGrades ? ['field'] : []), 'price', 'price_compare', 'status', 'run', 'feed', 'line'];
  const rows = periods.map((period) => {
    const { price, price_compare: compare, run, command, feed, file, line } = asRecord(period, runs);
    const { field, since, unknown, currency, status } = period;
    const shown = unknown === null ? `${price ?? '(none)'} ${currency}`.trim() : `(${reasons[unknown]})`;
    const cells = [
      ...[since === null ? 'before' : shownTime(since), ...(hasGrades ? [field] : []), shown, compare ?? '', status],
      ...[run === null ? '' : String(run), feed || (run === null ? '' : '-')],
      file === '' ? command : `${file}${line === null ? '' : `:${line}`}`,
    ];
    return cells.map(sanitizeText);
  });
  const width = outputWidth(process);
  return `${textTable([head, ...rows], width)}\n${wrapped(lowestWords(record), width ?? Number.POSITIVE_INFINITY)}\n`;
}

/** `Lowest price of the 30 days before the reduction of 2026-11-01 …: 80.00 EUR. 12 of these days are known.` */
function lowestWords(record: ProductPrices['record']): string {
  const { lowest_price_30d: lowest, lowest_price_30d_known_days: days, reduced_since: since, currency } = record;
  const before = since === null ? '' : ` before the reduction of ${shownTime(Number(since))}`;
  const known = Number(days) < 30 ? ` ${days} of these days are known.` : '';
  const price = lowest === '' ? 'none that applied while the product was activated' : `${lowest} ${currency}`;
  return `Lowest price of the ${since === null ? 'last 30' : '30'} days${before}: ${price}.${known}`;
}
