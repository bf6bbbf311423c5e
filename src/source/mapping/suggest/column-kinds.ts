// What the values of a column are.
import type { ColumnProfile } from '../../inspection/column-profile.js';

export function numbersIn({ numbers: { plain, point, comma, either } }: ColumnProfile): number {
  return plain + point + comma + either;
}

/** All distinct values; undefined where they are many. */
export function choicesOf({ values, distinct, many }: ColumnProfile): readonly string[] | undefined {
  return !many && values.length === distinct ? values : undefined;
}

/** Whether all distinct values are known, and each is of a kind. */
export const areAll = (column: ColumnProfile, isOfKind: (value: string) => boolean): boolean =>
  choicesOf(column)?.every(isOfKind) === true;

/** Whether a column answers a question by 1 and 0, and so counts nothing. */
export const isFlag = (column: ColumnProfile): boolean =>
  column.filled > 1 && areAll(column, (one) => one === '0' || one === '1');

/** Values from which on they tell whether they are different. */
export const fewestToJudge = 5;

/** Whether most values are different, or there are too few to judge. */
export const isVaried = ({ filled, distinct, many }: ColumnProfile): boolean =>
  filled < fewestToJudge || many || distinct * 2 > filled;

/** Whether all are whole numbers, and written so. */
export const isWhole = ({ numbers, filled }: ColumnProfile): boolean => numbers.plain === filled;

/** Whether nearly all values are barcodes, by their check digits: a few that occur again may have them by chance, as dates. */
export function holdsBarcodes({ barcodes, filled, distinct, many }: ColumnProfile): boolean {
  return filled > 1 && barcodes >= filled * 0.8 && (many || distinct * 2 > filled);
}

/** What separates several barcodes in a cell. */
export const signOfCodes = (value: string): string | undefined => /^\d{8,14}\s*([,;|/\s])\s*\d{8,14}/.exec(value)?.[1];

/** Whether a column holds lists of plain values. */
export function isListed({ samples }: ColumnProfile): boolean {
  return samples.some((sample) => /^\[["\d]/.test(sample));
}

/** The values of a column; of lists their entries. */
export const entriesOf = ({ values }: ColumnProfile): readonly string[] => values.flatMap(entriesIn);

/** The entries of a value that is a list of texts; else the value. */
export function entriesIn(value: string): readonly string[] {
  const entries = /^\["/.test(value) ? value.match(/"(?:[^"\\]|\\.)*"/g) : null;
  return entries === null ? [value] : entries.map((entry) => String(JSON.parse(entry)));
}

/** Which value of lists counts: the first, or the name that follows a number, as in `[1, "EUR"]`. */
export const takeStep = ({ samples }: ColumnProfile): string =>
  samples.every((sample) => /^\[\d+, ?"[^"]*"\]$/.test(sample)) ? 'take: last' : 'take: first';

/** Whether values are objects, or lists of them. */
export function holdsObjects({ samples }: ColumnProfile): boolean {
  return samples.some((sample) => /^\[?\{"/.test(sample));
}

/** Whether values are files of images. */
export const isImage = ({ values }: ColumnProfile): boolean =>
  // Samples are cut, and addresses are long.
  values.slice(0, 3).some((value) => /\.(?:jpe?g|png|gif|webp|svg)/i.test(value));

/** Whether values are lists or objects. */
export const isNested = ({ samples }: ColumnProfile): boolean => samples.some((sample) => /^[[{]/.test(sample));

/** Whether values look like codes, and not like names: single words with digits. */
export function holdsCodes({ spaced, samples }: ColumnProfile): boolean {
  return spaced === 0 && samples.every((sample) => /\p{Nd}/u.test(sample));
}

/** Whether values are codes in groups: `0 986 400 100`, `1K0 615 301 A`. */
export const holdsGroupedCodes = ({ spaced, samples }: ColumnProfile): boolean =>
  spaced > 0 && samples.every((sample) => /\d/.test(sample) && sample.split(' ').every(isGroup));

const isGroup = (part: string): boolean => /^(?:\p{Lu}{1,2}|(?=.*\d)[\p{L}\d./-]{1,12})$/u.test(part);

/** Whether all values are addresses on the web. */
export function isAddress({ samples }: ColumnProfile): boolean {
  return samples.every((sample) => /^https?:/i.test(sample));
}

/** Whether all are whole numbers, also where they are written as `12.000` next to `0.000`. */
export function areWhole(column: ColumnProfile): boolean {
  const { numbers, filled, longestFraction } = column;
  const isSigned = numbers.point > 0 !== numbers.comma > 0;
  return isWhole(column) || (isSigned && longestFraction === 0 && numbersIn(column) === filled);
}

/** Whether a column may count something, and tells records apart by chance: small whole numbers in no order. */
export function mayCount(column: ColumnProfile): boolean {
  return areWhole(column) && (column.range?.[0] ?? 0) < 100 && isUnordered(column);
}

/** Whether some number is less than the one before. */
export const isUnordered = ({ amounts }: ColumnProfile): boolean =>
  amounts.some((amount = 0, record) => record > 0 && amount < (amounts[record - 1] ?? 0));

/** Whether a column counts the rows: 1, 2, 3. */
export function countsRows({ amounts, samples, filled }: ColumnProfile): boolean {
  const isCount = amounts.every((one = 0, i) => one === (amounts[0] ?? 0) + i);
  // `R2` in a column of codes is two rand.
  return filled > 1 && (amounts[0] ?? 2) <= 1 && isCount && samples.every((one) => /^\d+$/.test(one));
}

/** Whether a number has decimals, so that it is no key. */
export function hasFractions({ numbers }: ColumnProfile): boolean {
  return numbers.point + numbers.comma > 0;
}

/** Related things in a record: their names and prices are not the record's own. */
const otherThings =
  /(?:^|[.:@])(?:brand|producer|manufacturer|maker|vendor|supplier|seller|merchant|shipping|delivery|author|user|unit|images?|mime|media|tax|vat|series|warranty|categor(?:y|ies))[.:@]/iu;

/** Whether a name with several parts belongs to something other than the record: `producer@name`, `shipping.price`. */
export function isOtherThing(name: string): boolean {
  return otherThings.test(name.replace(/\[[^\]]*\]/g, ''));
}

/** Attributes about the form of an element: `name@xml:lang`, `sku@type`. */
export const formAttributes = /.@(?:xml:)?(?:lang|language|type|mode|rel|id|version|status)$/iu;
