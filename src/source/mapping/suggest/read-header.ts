// Reads a header by the words of header-words.json: which field it names, and what it says about amounts.

import { isMass, isMeasure } from '../../../core/text/units.js';
import { hasAny, joinInitials, type Stems, shortest, stemsOf, withoutAccents, wordsOf } from './header-stems.js';
import words from './header-words.json' with { type: 'json' };

/** A header normalized for comparison: no case, accents, white space or punctuation. */
export function plainWord(header: string): string {
  return withoutAccents(header.toLowerCase()).replace(/[^\p{L}\p{N}]/gu, '');
}

/** Last parts of names that have no meaning of their own: `category.name`, `price@gross`, `title.en`. */
export const emptyPart =
  /^(?:name|path|title|label|value|amount|data|text|#text|gross|brutto|net|netto|qty|quantity|en|de|fr|es|it|nl|pl|pt|da|sv|nb|fi|cs|sk|hu|ro|bg|hr|sl|sr|et|lv|lt|el|tr|ru|uk|ja|zh|ko|ar|he|fa|hi|th|vi|ca|[a-z]{2}[-_][a-z]{2})$/iu;

/** The parts of a path: `node.price@net`. A header of several words is none. */
export function partsOf(name: string): string[] {
  // Which of several elements it is says nothing of what it is: `stock[@place=North]`.
  const plain = name.replace(/\[@[^\]]*\]$/, '');
  return /\s/.test(plain.trim()) ? [plain] : joinInitials(plain).split(/[.:@](?=[\p{L}\p{N}#])/u);
}

/** What is around all members of a record. */
const wrapper = /^(?:attributes|properties|fields|data|node|item|product)$/iu;

/** Whether a path is of a member of the record itself, inside what is around all of its members: `node.title`. */
export const isWrapped = (name: string): boolean => wrapper.test(partsOf(name).at(-2) ?? '');

/** The words of what a path names: its last part, with the one before where the last says little. */
export function namingWords(name: string): string[] {
  const parts = partsOf(name);
  const [outer = '', last = ''] = parts.slice(-2);
  if (parts.length === 1) return wordsOf(name);
  return wordsOf(emptyPart.test(last) && !wrapper.test(outer) ? `${outer} ${last}` : last);
}

/** Whether a header is a question, which cells answer by yes or no: `En stock ?`. */
const isQuestion = (header: string): boolean => /[?？\u037e؟¿]/u.test(header);

export const moneyStems = Object.fromEntries(Object.entries(words.money).map(([role, text]) => [role, stemsOf(text)]));
export const says = (header: readonly string[], role: keyof typeof words.money): boolean =>
  hasAny(header, moneyStems[role] ?? []);

/** What a header says about amounts. */
export type MoneyRole =
  | 'price'
  | 'standard'
  | 'regular'
  | 'each'
  | 'cost'
  | 'promo'
  | 'reference'
  | 'net'
  | 'per'
  | 'minor'
  | 'other';

/** A measure or number that the amount is for: `per 100`, `10+`, `ab 5`. */
const perNumber =
  /(?:pro|per|je|par|por|za|ab|\/)\s*\d|\d\s*\+|[≥>]|(?:pro|per|je|au|par|por|za|\/)\s*(?:g|l|ml|m|m²|m2)(?!\p{L})/iu;

/** `Preis ab 01.01.2026` is for no quantity. */
const date = /\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|(?<!\d)\d{1,2}[./]\d{1,2}(?!\d)/g;

/** A measure next to a word of price, whatever is between them: `Prezzo al kg`, `Kilohinta`, `Цена за литр`. */
const perMeasure =
  /(?<!\p{L})(?:kg|кг|kilo|кило|κιλ|lit(?:er|re|ro|r)|литр|літр)|ק["״]ג|公斤|千克|キロ|กก|กิโล|کیلو|كيلو|किलो/iu;

/** Amounts that are no price, whatever else their headers say. */
export const otherAmounts = ['average', 'extreme', 'otherAmount'] as const;

/** What a header says about amounts; undefined where it has no word of them. */
export function moneyRole(name: string): MoneyRole | undefined {
  const whole = wordsOf(name);
  const own = namingWords(name);
  const isPriced = says(own, 'price');
  if (otherAmounts.some((kind) => says(whole, kind))) return 'other';
  const isOther = says(whole, 'tax') || says(whole, 'rate') || hasAny(own, keyWords) || counts(whole);
  if (!isPriced && (isOther || perMeasure.test(name) || name.includes('%'))) return 'other';
  // `Brutto (kg)` is a weight.
  const isMasses = unitsIn(name).some(isMass);
  if (isMasses && !own.some((word) => says([word], 'price') && !/^(?:brutto|gross)/.test(word))) return 'other';
  // `Standard price` is what the shop pays in some systems, and what it asks in others.
  if (says(own, 'standard')) return 'standard';
  if (says(own, 'reference')) return 'reference';
  if (says(whole, 'cost') || says(whole, 'supplier')) return 'cost';
  // `Sales price` is what it is sold for; an `offer` around a record is no offer.
  if (says(own, 'promo')) return 'promo';
  if (isMasses || perNumber.test(name.replace(date, '')) || (isPriced && perMeasure.test(name)) || says(own, 'per'))
    return 'per';
  if (says(own, 'minor')) return 'minor';
  if (says(own, 'net')) return 'net';
  // `unitPrice.money`
  const outer = isPriced ? undefined : outerRole(name);
  if (!isPriced) return outer === 'price' || outer === 'each' ? outer : undefined;
  if (says(own, 'regular')) return 'regular';
  return says(own, 'each') ? 'each' : 'price';
}

/** Whether a header says that its amounts are in hundredths: `compare_at_cents`. */
export const namesHundredths = (name: string): boolean => says(namingWords(name), 'minor');

/** Whether a header has a word of amounts that the shop asks or pays. */
export const saysAmount = (name: string): boolean => !['other', undefined].includes(moneyRole(name));

/** Whether amounts may be what the shop asks. */
export const isPriceRole = (role: MoneyRole | undefined): boolean => !['other', 'cost', undefined].includes(role);

/** Whether a member is inside a price: `prices.retail`, `Price.BaseQuantity`. */
export const isOfPrice = (name: string): boolean => ['price', 'each'].includes(outerRole(name) ?? '');

/** What the part of a path around its last one says about amounts. */
function outerRole(name: string): MoneyRole | undefined {
  const outer = partsOf(name.replace(/(?<=^|\.)\w+:/g, '')).at(-2);
  return outer === undefined ? undefined : moneyRole(outer);
}

/** What several pieces are sold in. */
const packages = stemsOf(words.packages);
const party = [...stemsOf(words.party), ...(moneyStems['supplier'] ?? [])];
const things = stemsOf(words.things);
const plainStems = [...(moneyStems['price'] ?? []), ...(moneyStems['each'] ?? []), ...things];
const barcodes = stemsOf(words.fields.ean.is);

/** Whether a header has a word for a product. */
export const namesThing = (name: string): boolean => hasAny(namingWords(name), things);

/** Whether a header names a maker or a seller: `mpn`. */
export const isOfParty = (name: string): boolean => hasAny(namingWords(name), party);

const orders = stemsOf(words.orders);
const latest = stemsOf(words.latest);

/** Whether a header is a column of orders: the date of the order, its number or its buyer. `Last order date` is one of a stock list. */
export const isOfOrders = (name: string): boolean => hasAny(wordsOf(name), orders) && !hasAny(wordsOf(name), latest);

const { ean, stock, sku, name: naming } = words.fields;
const numberWords = stemsOf(`${sku.code} ${sku.number}`);
const keyWords = [...numberWords, ...stemsOf(sku.id)];
const ownNumber = anyOf(sku.is);
const counts = anyOf(stock.is);

/** Whether one word says both: `Artikelnr`, `Tuotenro`. */
function isArticleNumber(word: string): boolean {
  const thing = things.find((stem) => stem.length >= shortest && word.startsWith(stem));
  return thing !== undefined && numberWords.some((stem) => word.endsWith(stem));
}

/** For each field the ways in which a header names it, the plainest first, and the words of other things. */
const fieldWords: Readonly<Record<string, { tiers: ((header: readonly string[]) => boolean)[]; not: Stems }>> = {
  ean: { tiers: tiersOf(ean.is), not: stemsOf(ean.not) },
  stock: { tiers: tiersOf(stock.is), not: stemsOf(stock.not) },
  sku: {
    tiers: [
      ownNumber,
      // `Item No`, `Kod produktu`, `Artikelnummer`.
      (header) => header.some(isArticleNumber) || (hasAny(header, things) && hasAny(header, numberWords)),
      anyOf(sku.code),
      anyOf(sku.number),
      anyOf(sku.id),
      anyOf(words.things),
    ],
    not: [...stemsOf(sku.not), ...party, ...barcodes],
  },
  name: {
    tiers: [anyOf(naming.is), anyOf(naming.else), anyOf(words.things)],
    not: [...stemsOf(naming.not), ...party, ...barcodes],
  },
};

/** The tiers of a key whose header says that it is the number of a product, a code, a number, an identifier, and only that it is of products: `Item`. */
export const articleTier = 1;
export const codeTier = 2;
export const numberTier = 3;
export const idTier = 4;
export const thingTier = 5;

function tiersOf(text: string): ((header: readonly string[]) => boolean)[] {
  return text.split(' | ').map(anyOf);
}

function anyOf(text: string): (header: readonly string[]) => boolean {
  const stems = stemsOf(text);
  return (header) => hasAny(header, stems);
}

/** How plainly a header names a field, 0 the plainest; -1 if it does not. */
export function tierOf(name: string, field: string): number {
  const known = fieldWords[field];
  const own = namingWords(name);
  if (known === undefined || isQuestion(name)) return -1;
  // The SKU of a seller may be the shop's own.
  if (field === 'sku' && hasAny(own, party) && ownNumber(own)) return idTier;
  if (hasAny(own, known.not)) return -1;
  const tier = known.tiers.findIndex((isNamed) => isNamed(own));
  // `Qty per carton` counts no cartons; `Stock [cartons]` does.
  return field === 'stock' && tier > 0 && hasAny(namingWords(withoutBrackets(name)), packages) ? -1 : tier;
}

/** What is in brackets at the end of a header. */
const bracketed = /[([（［【]\s*([^()[\]（）［］【】]+?)\s*[)\]）］】]\s*$/u;

/** The words of a header that may be the unit of its numbers: those in brackets, of packages, and a measure at its end. */
export function unitsIn(name: string): string[] {
  const own = namingWords(name);
  const [, inBrackets] = bracketed.exec(partsOf(name).at(-1) ?? '') ?? [];
  const last = own.filter((word) => /\p{L}/u.test(word)).slice(-1);
  const units = own.filter((word) => isPackage(word) || (last.includes(word) && isMeasure(word)));
  return [...(inBrackets === undefined ? [] : [inBrackets]), ...units];
}

/** A header without what is in brackets at its end. */
export const withoutBrackets = (name: string): string => name.replace(bracketed, '');

/** Whether a word is what several pieces are sold in. */
export const isPackage = (word: string): boolean => hasAny([word.toLowerCase()], packages);

/** Whether two headers have a word in common. */
export function shareWord(name: string, other: string): boolean {
  const words = new Set(namingWords(other));
  return namingWords(name).some((word) => words.has(word));
}

/** The words of a header next to those of the field and of products: `Preferred stock`, and not `Item stock`. */
function otherWords(name: string, field: string): string[] {
  const known = fieldWords[field];
  return namingWords(name).filter(
    (word) => !hasAny([word], things) && known?.tiers.every((tier) => !tier([word])) === true,
  );
}

/** Words such as `on`, `in` and `auf` say nothing. */
const shortWord = 3;

/** Whether a header is that of a number, and says of what: not of a product. */
export function isNumberOfOther(name: string): boolean {
  const own = namingWords(name);
  const tier = tierOf(name, 'sku');
  if (ownNumber(own) || tier === articleTier) return false;
  // `Modellnummer` says number twice.
  const isOther = (word: string) => !numberWords.some((stem) => stem.length >= shortest && word.startsWith(stem));
  const ofOther = (stem: string) =>
    own.some((word) => word.length - stem.length > shortWord && word.endsWith(stem) && isOther(word));
  if (numberWords.some(ofOther)) return true;
  // What names no key and is a number all the same is one of something else: `Order ID`.
  return tier === -1 ? hasAny(own, plainNumbers) : otherWords(name, 'sku').some((word) => word.length > shortWord + 1);
}
const plainNumbers = stemsOf(`${sku.number} ${sku.id}`);

/** Whether a header has other words next to those of the field. */
export const saysMore = (name: string, field: string): boolean => otherWords(name, field).length > 0;

/** Whether a header has only words of the given stems, short ones, and those of products and of gross and net. */
export const saysOnly = (name: string, stems: Stems): boolean =>
  namingWords(name).every(
    (word) => word.length <= 2 || [stems, plainStems, moneyStems['net'] ?? []].some((some) => hasAny([word], some)),
  );

/** Whether a header has a word of the given stems. */
export const namesAny = (name: string, stems: Stems): boolean => hasAny(namingWords(name), stems);

/** The stem that a header is, next to words of products and short ones: `Is active`, `Artikel aktiv`. */
export function onlyStem(name: string, stems: Stems): string | undefined {
  const others = namingWords(name).filter((word) => word.length > 2 && !hasAny([word], things));
  const [word, ...more] = others;
  // `Inactive` ends in another of them.
  const found = stems.filter((stem) => word !== undefined && more.length === 0 && hasAny([word], [stem]));
  return found.sort((one, other) => other.length - one.length)[0];
}

/** Whether a header has a word of stocks and quantities, whatever else it says. */
export const namesCount = (name: string): boolean => counts(namingWords(name));

/** Whether a header has words of something other than the field. */
export function namesOther(name: string, field: string): boolean {
  const own = namingWords(name);
  return isQuestion(name) || hasAny(own, fieldWords[field]?.not ?? []) || (field === 'stock' && hasAny(own, packages));
}

/** Fields that are named by beginnings of words. */
export const tieredFields = Object.keys(fieldWords);

/** Whole headers as plain words, by the field that they name. */
export const headerWords: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(words.words).map(([field, text]) => [field, text.split(' ').map(plainWord)]),
);
