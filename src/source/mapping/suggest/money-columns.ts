// Finds the price and the reference price. A column of amounts is one of them only where nothing else could be, or where
// the headers of the others say what they are and their values agree. Else it is a question.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import {
  hasDigits,
  isAmounts,
  isLongCode,
  isPriced,
  isPriceQuantity,
  mayBeCodes,
  mayBeWholeAmounts,
} from './amount-columns.js';
import { hasFractions, isFlag, isWhole } from './column-kinds.js';
import { haveSameValues, isCovered, relate } from './compare-columns.js';
import { holdsCurrencies } from './currency-values.js';
import { remarksOf } from './given.js';
import { isForSomething, isPlainPrice, namesFinal, namesRate, taxedRole } from './price-header.js';
import { quantityRemark } from './price-quantities.js';
import { askAmong, type Choice, type Match, matchOf, sureOf } from './questions.js';
import { type MoneyRole, moneyRole, namesHundredths, namingWords, says } from './read-header.js';
import { unknownIn, unknownRemark } from './whole-header.js';

/** A column of amounts, with what its header says. */
interface MoneyColumn {
  readonly column: ColumnProfile;
  readonly role: MoneyRole | undefined;
}

/** What the amounts of a column of a role must be to those of the price, in at least so many records. */
const agreeing = 0.9;
const sides: Partial<Record<MoneyRole, 'notAbove' | 'notBelow'>> = {
  cost: 'notAbove',
  promo: 'notAbove',
  net: 'notAbove',
  regular: 'notBelow',
  reference: 'notBelow',
};

function agrees({ column, role }: MoneyColumn, price: MoneyColumn): boolean {
  const side = role && sides[role];
  const relation = relate(column, price.column);
  return side === undefined || relation.both === 0 || relation[side] >= agreeing;
}

/** What a header says that no column of the price has. */
const remarks: Partial<Record<MoneyRole, string>> = {
  cost: 'its header names what the shop pays',
  promo: 'its header names an offer',
  net: 'its header says without tax',
  per: 'its header names a unit or quantity',
  standard: 'its header names the price of some systems and the cost of others',
  reference: 'its header names a reference price',
};

const remarkOn = (role: MoneyRole | undefined): string | undefined =>
  role === undefined ? 'its header has no known word for a price' : remarks[role];

/** The price and the reference price. @param columns the columns that have values, and fill nothing else */
export function matchMoney(columns: readonly ColumnProfile[]): ReadonlyMap<string, Match> {
  const money = columns
    .map((column) => ({ column, role: roleOf(column, columns) }))
    .filter(({ column, role }) => role !== 'other' && !isFlag(column) && isAmounts(column, role))
    .filter(({ column }) => !isPriceQuantity(column) && !columns.some((one) => nanosOf(one, columns) === column))
    .filter(({ column }, _, all) => !isLongCode(column) || !all.some((one) => hasFractions(one.column)));
  const { price, isOpen } = choosePrice(money);
  const [first] = price;
  const rates = first === undefined ? columns.filter(isRateOfGoods) : [];
  if (rates.length > 0)
    return new Map([['price', { open: rates.map((column) => choiceOf(column, remarkOn(undefined))) }]]);
  const elsewhere = namedElsewhere(columns.filter((one) => !price.some(({ column }) => column === one)));
  if (first === undefined) {
    // Where records have a currency, they have amounts: whole ones may be hundredths.
    const whole = columns.some(holdsCurrencies) ? columns.filter(mayBeWholeAmounts) : [];
    const open = [...elsewhere];
    if (open.length === 0)
      open.push(...whole.map((column) => choiceOf(column, `${remarkOn(undefined)}; may be hundredths: shift: -2`)));
    return new Map(open.length === 0 ? [] : [['price', { open }]]);
  }
  const nanos = nanosOf(first.column, columns);
  const whole = nanos && unitsAndNanos(first.column, nanos);
  const per = quantityRemark(first.column, columns);
  const references = money.filter((one) => !price.includes(one) && isReference(one, money));
  // Where all others are what the shop pays, the recommended price is what it asks.
  const open = [...price, ...references].map(({ column, role }) =>
    choiceOf(
      column,
      whole ??
        quantityRemark(column, columns) ??
        (mayBeCodes(column) ? 'its values may be codes' : remarkOnHeader(column, role, isOpen)),
    ),
  );
  // Where no candidate is plainly the price, one that was left out may be.
  if (!price.some(({ role }) => role === 'price' || role === 'regular' || role === 'each')) open.push(...elsewhere);
  const reference = knownReference(references) ?? askedReference(price);
  const isKnown = !isOpen && !isUnknown(first) && !mayBeCodes(first.column) && (whole ?? per) === undefined;
  return new Map([
    ['price', isKnown ? { sure: first.column } : { open }],
    ...(reference === undefined ? [] : ([['price_compare', reference]] as const)),
  ]);
}

/** Columns with a word for a price in their header that were left out, because of their values or of another word in it. */
function namedElsewhere(columns: readonly ColumnProfile[]): Choice[] {
  // `EUR 24.90 / m` is a price, though no number.
  const written = columns.filter(
    (column) => moneyRole(column.name) === 'price' && !isAmounts(column, 'price') && column.samples.every(hasDigits),
  );
  // `VK inkl. Pfand` has a word of price, whatever else it says.
  const called = written.length > 0 ? [] : columns.filter(isNamedPrice);
  return [
    ...written.map((column) => choiceOf(column, column.said.size > 0 ? undefined : 'its values are not numbers')),
    ...called.map((column) => choiceOf(column, 'its header names another amount, too')),
  ];
}

/** The reference price; a column whose header says more than that is asked about. */
function knownReference(references: readonly MoneyColumn[]): Match | undefined {
  const match = matchOf(references.map(({ column }) => column));
  const sure = sureOf(match);
  const remark = sure && unknownRemark(sure.name, 'price_compare');
  return sure !== undefined && remark !== undefined ? askAmong([sure], remark) : match;
}

/** The remark about a column that may be the price: what its header says, or the part of it that is not known. Of several columns, the number in `Price 2` is no remark. */
function remarkOnHeader({ name }: ColumnProfile, role: MoneyRole | undefined, isOpen: boolean): string | undefined {
  if (namesFinal(name)) return 'its header names the final price';
  const isSign = isOpen && unknownIn(name, 'price')?.length === 1;
  return remarkOn(role) ?? (isSign ? undefined : unknownRemark(name, 'price'));
}

const isUnknown = ({ column }: MoneyColumn): boolean => unknownRemark(column.name, 'price') !== undefined;

/** The billionths next to whole units of an amount: `price.nanos` next to `price.units`. */
const nanosOf = ({ name }: ColumnProfile, columns: readonly ColumnProfile[]): ColumnProfile | undefined =>
  /units$/.test(name) ? columns.find((one) => one.name === name.replace(/units$/, 'nanos')) : undefined;

/** Billionths that are zero are left out. */
const unitsAndNanos = ({ name }: ColumnProfile, nanos: ColumnProfile): string =>
  `write { column: ${JSON.stringify(name)}, plus: { column: ${JSON.stringify(nanos.name)}, default: 0, shift: -9 }, round: 2 }`;

/** What a header says. One that names a tax only is that of a price where other amounts are there, and it is too much for a tax on them. */
function roleOf(column: ColumnProfile, columns: readonly ColumnProfile[]): MoneyRole | undefined {
  const role = moneyRole(column.name);
  if (role !== 'other' || !(hasFractions(column) || isPriced(column)) || column.distinct * 2 <= column.filled)
    return role;
  const others = columns.filter((one) => one !== column && isOfMoney(one));
  const taxed = taxedRole(column.name);
  // The only amounts of a file may be its prices, whatever they are called.
  if (others.length === 0) return taxed === 'other' ? role : undefined;
  return others.some((one) => isTaxOn(column, one)) ? role : taxed;
}

function isOfMoney(column: ColumnProfile): boolean {
  const role = moneyRole(column.name);
  return isAmounts(column, role) && (role !== 'other' || (hasFractions(column) && taxedRole(column.name) !== 'other'));
}

/** The share of a tax in no country is more. */
const mostTax = 0.28;

/** Whether amounts are in all records no more than a tax on the other ones. */
function isTaxOn({ amounts }: ColumnProfile, { amounts: prices }: ColumnProfile): boolean {
  return amounts.every((amount = 0, record) => amount <= (prices[record] ?? amount) * mostTax);
}

/** Whether a rate is an amount and no percentage, as the `Rate` of items is in some systems of accounting. */
const isRateOfGoods = (column: ColumnProfile): boolean => namesRate(column.name) && (column.range?.[1] ?? 0) > 100;

/** Whether a column is called a price, and another amount, too. */
const isNamedPrice = (column: ColumnProfile): boolean =>
  moneyRole(column.name) === 'other' && says(namingWords(column.name), 'price') && hasFractions(column);

/** Of columns that could all be the price, those that are a reference price where another one is it. */
function askedReference(price: readonly MoneyColumn[]): Match | undefined {
  const open = price.flatMap(({ column, role }) =>
    role === 'reference' ? [choiceOf(column, 'if it is not the price')] : [],
  );
  return open.length === 0 || open.length === price.length ? undefined : { open };
}

const choiceOf = (column: ColumnProfile, remark: string | undefined): Choice => ({
  column,
  remark: remarksOf(remark, namesHundredths(column.name) && 'its header names hundredths: shift: -2'),
});

/** The columns that can be the price, and whether a person has to choose. */
function choosePrice(money: readonly MoneyColumn[]): {
  readonly price: readonly MoneyColumn[];
  readonly isOpen: boolean;
} {
  const [main, others] = mainPrices(money);
  const complete = main.filter((one) => main.every(({ column }) => isCovered(column, one.column)));
  const whole = complete.find((one) => !isUnknown(one)) ?? complete[0];
  const first = whole ?? main[0];
  if (first !== undefined) {
    const finals = main.filter((one) => one !== first && isFinalBeside(one, first));
    const odd = others.filter((one) => contends(one, first));
    const isOfOne = first.role !== 'price' || !isForSomething(first.column.name);
    return first === whole && isOfOne && odd.length + finals.length === 0
      ? { price: [first], isOpen: false }
      : { price: [...main, ...odd], isOpen: true };
  }
  // No header says that it is a price: what could be is asked, a column without a known word, too: it may hold deposits.
  const [only, ...more] = money.filter(({ role }) => role !== 'cost' && role !== 'promo');
  const isSure = only?.role === 'minor' && isWhole(only.column);
  if (only !== undefined && more.length === 0 && isSure) return { price: [only], isOpen: false };
  // Of several that are all named as something else one may be the price of a group of customers.
  return { price: only !== undefined || money.length > 1 ? money : [], isOpen: true };
}

/** Whether a column leaves it open which one is the price: by its amounts, or since neither header says the last word. */
function contends(one: MoneyColumn, price: MoneyColumn): boolean {
  const { column, role } = one;
  if (isFinalBeside(one, price)) return true;
  if (role === 'per') return isForSomething(price.column.name);
  if (role === 'standard') return true;
  // `R1` in a column of codes is not one rand.
  const isPlain = isPlainPrice(price.column.name, column);
  if (role === undefined) return isUnknown(price) || (!isPlain && hasFractions(column));
  // `Your price` below the price of a list may be what a dealer pays, `Case price` is that of several units.
  // One that only some records have is a former price.
  const isUsual = column.filled >= price.column.filled * agreeing;
  if (((role === 'reference' && isUsual) || role === 'each') && !isPlain) return true;
  // An offer in all records is what they are sold for.
  if (role === 'promo' && isUsual) return true;
  return !agrees(one, price);
}

/** Whether a column is called the final price, and another one is not, and has other amounts. */
const isFinalBeside = (one: MoneyColumn, price: MoneyColumn): boolean =>
  namesFinal(one.column.name) && !namesFinal(price.column.name) && !haveSameValues(one.column, price.column);

/** Columns whose headers say price; of a unit and the usual one only where no other does. */
function mainPrices(money: readonly MoneyColumn[]): [readonly MoneyColumn[], readonly MoneyColumn[]] {
  for (const role of ['price', 'regular', 'each'] as const) {
    const main = money.filter((one) => one.role === role);
    if (main.length > 0) return [main, money.filter((one) => one.role !== role)];
  }
  return [[], money];
}

/** A usual price is the reference where another is the price. */
function isReference({ role }: MoneyColumn, money: readonly MoneyColumn[]): boolean {
  return role === 'reference' || (role === 'regular' && money.some((one) => one.role === 'price'));
}
