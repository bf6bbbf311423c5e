// The decimal sign of a file, by the amounts in it.
import { groupDigits } from '../../../core/text/sanitize.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { hasFractions } from './column-kinds.js';
import { columnWith } from './given.js';
import { askAmong, columnsOf, type Match, sureOf } from './questions.js';

/** Fields that count or weigh: a thousand times too much is as likely as the right number. */
const quantities: ReadonlySet<string> = new Set(['stock', 'stock_threshold', 'weight']);

/** The decimal sign, with the evidence. */
interface DecimalSign {
  readonly decimal: '.' | ',' | undefined;
  readonly why: string;
  /** An amount that could have either sign, where all are so. */
  readonly open?: string | undefined;
}

const amountsHave = (count: number): string => (count === 1 ? '1 amount has' : `${groupDigits(count)} amounts have`);

export function decimalOf(columns: readonly ColumnProfile[], matched: ReadonlyMap<string, Match>): DecimalSign {
  const amounts = ['price', 'price_compare', 'weight'].flatMap((field) => columnsOf(matched.get(field)));
  const watched = columns.filter((column) => amounts.includes(column));
  const sum = (of: 'point' | 'comma') => watched.reduce((total, { numbers }) => total + numbers[of], 0);
  const [point, comma] = [sum('point'), sum('comma')];
  if (point > 0 && comma === 0) return { decimal: '.', why: `${amountsHave(point)} a decimal point, none a comma` };
  if (comma > 0 && point === 0) return { decimal: ',', why: `${amountsHave(comma)} a decimal comma, none a point` };
  if (point + comma > 0)
    return {
      decimal: undefined,
      why: `${amountsHave(point)} a decimal point, ${groupDigits(comma)} a comma: each is read by itself`,
    };
  const grouped = (sign: 'point' | 'comma') => watched.reduce((total, facts) => total + facts.grouped[sign], 0);
  if (grouped('point') > 0 !== grouped('comma') > 0) {
    const [decimal, groups] = grouped('point') > 0 ? ([',', 'points'] as const) : (['.', 'commas'] as const);
    const such = watched.find(({ shown }) => shown.grouped !== undefined)?.shown.grouped;
    return { decimal, why: `in amounts such as ${such} ${groups} group thousands` };
  }
  // Counts tell no sign, and are refused without one all the same.
  const counts = columns.filter((column) => columnsOf(matched.get('stock')).includes(column));
  const unsure = [...watched, ...counts].filter(({ numbers }) => numbers.either > 0);
  if (unsure.length === 0) return { decimal: undefined, why: withoutDecimals(watched, columns) };
  const open = unsure.flatMap(({ values }) => values).find((value) => /^\D*\d{1,3}[.,]\d{3}\D*$/.test(value));
  const count = unsure.reduce((total, { numbers }) => total + numbers.either, 0);
  return {
    decimal: undefined,
    why: `${groupDigits(count)} amounts such as ${unsure[0]?.shown.either} could have either: set decimal:`,
    open,
  };
}

/** Why no amount tells the sign: none has decimals, or what has is not known to be an amount, or no number. */
function withoutDecimals(watched: readonly ColumnProfile[], columns: readonly ColumnProfile[]): string {
  const odd = watched.find(({ values }) => values.some((value) => /\d[.,]\d{1,2}(?!\d)/.test(value)));
  if (odd !== undefined) return `${JSON.stringify(odd.name)} has amounts that are read in no way`;
  const isKnown = watched.length > 0 || !columns.some(hasFractions);
  return isKnown ? 'no amount has decimals' : 'no column is known to have amounts';
}

/**
 * The matches, with a question about quantities that are written with the other sign in all records: next to prices such as
 * 12,50 a weight of 24.656 may be 24656 or 24.656, and a stock of 12.0 would be refused.
 */
export function askedOfOtherSign(
  matched: ReadonlyMap<string, Match>,
  decimal: DecimalSign['decimal'],
): ReadonlyMap<string, Match> {
  if (decimal === undefined) return matched;
  const [sign, count] = decimal === ',' ? (['.', 'point'] as const) : ([',', 'comma'] as const);
  const isOther = ({ numbers, filled, values }: ColumnProfile): boolean =>
    numbers.either + numbers[count] === filled && values.some((value) => value.includes(sign));
  return new Map(
    [...matched].map(([field, match]): [string, Match] => {
      const sure = sureOf(match);
      if (!quantities.has(field) || sure === undefined || !isOther(sure)) return [field, match];
      const { name, samples, numbers } = sure;
      const other = columnWith(name, `number: { decimal: ${JSON.stringify(sign)} }`);
      const remark =
        numbers.either === 0
          ? `${samples[0]} has another decimal sign than the prices: write ${other}`
          : `${samples[0]} is read with ${JSON.stringify(sign)} for thousands; for decimals write ${other}`;
      return [field, askAmong([sure], remark)];
    }),
  );
}
