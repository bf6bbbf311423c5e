// Matches that the values of other columns put in doubt: keys, barcodes and names. What they leave open is a question.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import {
  countsRows,
  entriesIn,
  entriesOf,
  hasFractions,
  holdsBarcodes,
  holdsCodes,
  holdsGroupedCodes,
  isAddress,
  isImage,
  isNested,
  isUnordered,
  isWhole,
  mayCount,
  numbersIn,
  signOfCodes,
} from './column-kinds.js';
import { columnWith } from './given.js';
import { wordsOf } from './header-stems.js';
import { askAmong, columnsOf, type Match, sureOf, typedEntry } from './questions.js';
import {
  articleTier,
  idTier,
  isNumberOfOther,
  isOfParty,
  isPackage,
  namesOther,
  namesThing,
  numberTier,
  saysAmount,
  saysMore,
  tierOf,
  unitsIn,
} from './read-header.js';
import { couldBeName, isSharedKey, longestName } from './tiered-columns.js';
import { unknownRemark } from './whole-header.js';

/** Makes questions of the matches of products that are in doubt. @param free the columns that fill nothing, at any time */
export function askDoubted(
  found: Map<string, Match>,
  filled: readonly ColumnProfile[],
  free: () => readonly ColumnProfile[],
): void {
  askOddKey(found, filled);
  askSharedKey(found, filled);
  askForeignKey(found);
  barcodeOfKeys(found);
  askPackedBarcode(found, filled);
  nameFromDescription(found);
  askOddName(found, free());
}

/**
 * A key that some records lack or share is no surer than codes that all have, each its own, whatever their header says.
 * Numbers that are a code of something, such as `Availability code`, are no surer than a complete barcode.
 */
function askOddKey(found: Map<string, Match>, columns: readonly ColumnProfile[]): void {
  const key = found.get('sku');
  if (key === undefined) return;
  const known = columnsOf(key);
  const others = new Set([...found].flatMap(([field, match]) => (field === 'ean' ? [] : columnsOf(match))));
  const codes = columns.filter(
    (one) => !others.has(one) && isUnique(one, columns) && isOneWord(one) && holdsCodes(one) && !isMoney(one),
  );
  const isSure = known.every((one) => isUnique(one, columns) && !countsRows(one));
  const odd = codes.filter((one) =>
    known.every(
      (sure) =>
        isIdentifierBeside(sure, one) ||
        isCodedId(sure, one) ||
        (holdsBarcodes(one) ? isOddCode(sure) : isOddBeside(sure, one) || isPlainBeside(sure, one)),
    ),
  );
  // A code of the maker or supplier alone is not the shop's.
  const beside = known.length === 1 && odd.every(({ name }) => isOfParty(name)) ? [] : odd;
  const rivals = isSure ? beside : codes.filter((one) => !isNested(one) && !mayCount(one));
  if (rivals.length > 0) found.set('sku', askAmong([...known, ...rivals]));
}

/** Whether a column has amounts of money: whole ones would tell records apart by chance. */
const isMoney = (one: ColumnProfile): boolean => hasFractions(one) || saysAmount(one.name);

const isOddCode = (key: ColumnProfile): boolean => isWhole(key) && saysMore(key.name, 'sku');

/**
 * Whether a key may be the number of a row in some database or of an offer, a barcode, or a path, next to codes with letters:
 * `goods_id` of 10002 next to `goods_sn` of EC-1000.
 */
function isOddBeside(key: ColumnProfile, code: ColumnProfile): boolean {
  const isOdd =
    [isCount, mayCount, isLong, holdsBarcodes].some((is) => is(key)) || key.values.every((one) => one.includes('/'));
  const isCode = code.values.every((one) => /^(?=.*\p{L})[^/:]{2,24}$/u.test(one) && !/^[\da-f-]{8,}$/i.test(one));
  return isOdd && isCode && !isImage(code);
}

/** Whether an identifier may be the key next to a number of the product, as `ITEM_ID` next to `PRODUCTNO`: it holds codes, or its header names the product. */
const isCodedId = (key: ColumnProfile, one: ColumnProfile): boolean =>
  [articleTier, numberTier].includes(tierOf(key.name, 'sku')) &&
  tierOf(one.name, 'sku') === idTier &&
  (one.values.every((value) => /^\p{L}+[-_.]\d{1,9}$/u.test(value)) ||
    (isWhole(one) && namesThing(one.name) && key.values.every((value) => /\p{L}/u.test(value))));

/** Whether a code is one of the identifiers of a record that has several by type, and the key is not plainly called so. */
const isIdentifierBeside = (key: ColumnProfile, code: ColumnProfile): boolean =>
  typedEntry.test(code.name) && tierOf(key.name, 'sku') > 1;

/** Whether a header is that of a number and no more, next to one that says whose number it is: `Nr.` and `Kred.-Artikelnr.` */
const isPlainBeside = (key: ColumnProfile, code: ColumnProfile): boolean =>
  saysMore(key.name, 'sku') && tierOf(code.name, 'sku') !== -1 && !saysMore(code.name, 'sku') && !countsRows(code);

/** Digits of the numbers that marketplaces give. */
const leastLong = 1e9;

/** Whether all are long numbers. */
const isLong = (key: ColumnProfile): boolean => isWhole(key) && (key.range?.[0] ?? 0) >= leastLong;

/** Whether all are whole numbers in their order: what a database or an export counts. */
const isCount = (key: ColumnProfile): boolean => isWhole(key) && !isUnordered(key);

/** Where only barcodes, or what no header calls a key, tell records apart, those that share what is called one may be one product. */
function askSharedKey(found: Map<string, Match>, columns: readonly ColumnProfile[]): void {
  const known = columnsOf(found.get('sku'));
  if (!known.every((one) => holdsBarcodes(one) || tierOf(one.name, 'sku') === -1)) return;
  const shared = columns.filter((one) => !known.includes(one) && isSharedKey(one));
  if (shared.length > 0) found.set('sku', askAmong([...shared, ...known]));
}

const linkWords = /^(?:image|img|bild|photo|foto|picture|link|url|href)/;
const isLink = (column: ColumnProfile): boolean =>
  isAddress(column) || wordsOf(column.name).some((word) => linkWords.test(word));

/** A key that is an address or is called so, or of groups that some records share, or whose header says that it is the number of something else is asked about: `Batch number`, `Contract ID`, `Seriennr`. */
function askForeignKey(found: Map<string, Match>): void {
  const sure = sureOf(found.get('sku'));
  const isShared = sure !== undefined && sure.repeats > 0 && holdsGroupedCodes(sure);
  if (sure !== undefined && (isShared || isLink(sure) || isNumberOfOther(sure.name)))
    found.set('sku', askAmong([sure]));
}

/** What could be the key and holds barcodes is the barcode, whatever the answer is. */
function barcodeOfKeys(found: Map<string, Match>): void {
  const keys = columnsOf(found.get('sku'));
  const [code, ...more] = keys.length > 1 ? keys.filter(holdsBarcodes) : [];
  if (code !== undefined && more.length === 0 && !found.has('ean')) found.set('ean', { sure: code });
}

/** Asks about a barcode that may be that of a carton or a parent product, or whose header is partly unknown. Several barcodes in one cell are no barcode. */
function askPackedBarcode(found: Map<string, Match>, columns: readonly ColumnProfile[]): void {
  const sure = sureOf(found.get('ean'));
  if (sure === undefined) return;
  const { name, values } = sure;
  const [unit] = unitsIn(name).filter(isPackage);
  const sign = values.map(signOfCodes).find((one) => one !== undefined);
  const several = `write ${columnWith(name, `split: ${JSON.stringify(sign)}`, 'take: first')}`;
  // A list of plain barcodes is of the product; those of a unit and its box have a type each.
  const type = columns.find(
    (one) => one.name.startsWith(`${name}@`) && one.values.some((value) => entriesIn(value).length > 1),
  );
  const kind = type && `${name}[@${type.name.slice(name.length + 1)}=${entriesOf(type)[0]}]`;
  const isOfLists = values.some((value) => entriesIn(value).length > 1);
  const listed = isOfLists && kind !== undefined && `some records have several: write ${JSON.stringify(kind)}`;
  const packed = unit !== undefined ? `its header says ${unit}` : sign && `some cells hold several: ${several}`;
  const remark = packed ?? (listed || unknownRemark(name, 'ean'));
  if (remark !== undefined) found.set('ean', askAmong([sure], remark));
}

/** Whether values look like names: some have several words, or each record has a different word. */
const holdsTexts = (column: ColumnProfile): boolean =>
  couldBeName(column) ||
  (column.spaced > 0 &&
    numbersIn(column) + column.measured === 0 &&
    !holdsCodes(column) &&
    column.longest <= longestName);

export const isOneWord = ({ spaced, longest }: ColumnProfile): boolean => spaced === 0 && longest <= longestName;

/** Whether each record has a value of its own. */
export function isUnique({ filled, repeats }: ColumnProfile, columns: readonly ColumnProfile[]): boolean {
  return filled > 1 && repeats === 0 && columns.every((other) => other.filled <= filled);
}

/** A short text is the name where nothing else is, or only texts that several records share: `Descripción`, `Productgroep`. */
function nameFromDescription(found: Map<string, Match>): void {
  const sure = sureOf(found.get('description'));
  if (sure === undefined) return;
  const { name, longest, repeats } = sure;
  const named = columnsOf(found.get('name'));
  if (!named.every((one) => one.repeats > repeats && tierOf(one.name, 'name') > 0)) return;
  if (longest > longestName || /long|lang|html|body|detail|content|seo|meta/iu.test(name)) return;
  found.set('name', { sure });
  found.delete('description');
}

/**
 * A name whose header says more, such as `Short description`, is no surer than a text that is called by its thing, or a
 * shorter one; what is called the name of something unknown, such as `Shade name`, is no surer than any other texts.
 */
function askOddName(found: Map<string, Match>, free: readonly ColumnProfile[]): void {
  const sure = sureOf(found.get('name'));
  if (sure === undefined) return;
  if (tierOf(sure.name, 'name') === 0) {
    const remark = unknownRemark(sure.name, 'name');
    const others = free.filter((one) => holdsTexts(one) && !namesOther(one.name, 'name'));
    if (remark !== undefined && (others.length > 0 || sure.repeats > 0))
      found.set('name', { open: [{ column: sure, remark }, ...others.map((column) => ({ column }))] });
    return;
  }
  if (!saysMore(sure.name, 'name')) return;
  const described = columnsOf(found.get('description')).filter(({ longest }) => longest < sure.longest);
  const called = free.filter((one) => couldBeName(one) && tierOf(one.name, 'name') !== -1);
  if (described.length + called.length === 0) return;
  if (described.length > 0) found.delete('description');
  found.set('name', askAmong([...described, ...called, sure]));
}
