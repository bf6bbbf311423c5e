// Asks about prices whose cells say that they are other amounts: `UVP 10,00`, `10,00 netto`, `ab 10,00`.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { type AmountKind, amountKind, kindText } from '../values/amount-words.js';
import { remarksOf } from './given.js';
import { choicesIn, type Match, sureOf } from './questions.js';
import { moneyRole } from './read-header.js';

/** What no price says, and no reference price. */
const doubted: Readonly<Record<string, readonly AmountKind[]>> = {
  price: ['old', 'cost', 'recommended', 'least', 'each', 'net'],
  price_compare: ['cost', 'least', 'each', 'net'],
};

/** The matches, with questions about prices whose cells say another amount. */
export function askedOfWords(matched: ReadonlyMap<string, Match>): ReadonlyMap<string, Match> {
  return new Map(
    [...matched].map(([field, match]) => {
      const open = choicesIn(match).map(({ column, remark }) => ({
        column,
        remark: remarksOf(remark, wordsRemark(column, field)),
      }));
      const sure = sureOf(match);
      const isKnown = sure === undefined || wordsRemark(sure, field) === undefined;
      return [field, isKnown && sure !== undefined ? match : { open }];
    }),
  );
}

/** What the cells of a column say of their amounts; undefined where it leaves no doubt. */
function wordsRemark(column: ColumnProfile, field: string): string | undefined {
  const { name, filled, said } = column;
  const kinds = doubted[field]?.filter((kind) => kind !== 'net' || moneyRole(name) !== 'net') ?? [];
  return remarksOf(
    ...kinds.map((kind) => {
      const words = [...said].filter(([word]) => amountKind(word) === kind);
      const count = Math.max(...words.map(([, times]) => times));
      const values = count >= filled ? 'its values say' : `${count} of its ${filled} values say`;
      return words.length > 0 && `${values} ${words.map(([word]) => word).join(', ')}: ${kindText(kind)}`;
    }),
  );
}
