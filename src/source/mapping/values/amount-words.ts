// Words next to an amount that say which amount it is: another one than the shop asks, one without tax, or the least of several.

/** What a word says of the amount next to it. */
export type AmountKind = keyof typeof kinds;

const kinds = {
  old: 'statt anstatt instead was before formerly vorher früher bisher ehemals bislang lieu avant antes prima invece était prije dříve dawniej wcześniej förr tidigare tidligere før',
  cost: 'ek hek einkauf einkaufspreis ekpreis cost costs achat coste costo inkoop inköp indkøb nákup zakup закуп',
  recommended: 'uvp uvpe rrp srp msrp listenpreis listprice adviesprijs pvpr vejl ovh',
  least: 'ab from od dès desde vanaf von',
  each: 'pro per je',
  net: 'netto net exkl excl exklusive exclusive ex excluding zzgl zuzüglich plus ht hors',
  gross: 'brutto gross inkl incl inklusive inclusive including inc ttc toutes',
} as const;

const kindOf: ReadonlyMap<string, AmountKind> = new Map(
  (Object.keys(kinds) as AmountKind[]).flatMap((kind) => kinds[kind].split(' ').map((word) => [word, kind] as const)),
);

/** Only where the reference price is read these are no words of another amount. */
const ofReference: readonly AmountKind[] = ['old', 'recommended'];

const wordsOf = (...some: readonly AmountKind[]): readonly string[] => some.flatMap((kind) => kinds[kind].split(' '));

/** Words that do not change the amount. `von 5,00` may be the least price, and the lower one of a range. */
export const kindWords: readonly string[] = wordsOf('least', 'net', 'gross').filter((word) => word !== 'von');

/** Words of the reference price. */
export const referenceWords: readonly string[] = wordsOf(...ofReference);

/** Words of another amount than the one that is paid: an amount next to them is refused. */
export const otherAmountWords: ReadonlySet<string> = new Set([...wordsOf('old', 'cost', 'recommended', 'each'), 'von']);

const says: Readonly<Record<AmountKind, string>> = {
  old: 'an old price',
  cost: 'what the shop pays',
  recommended: 'a recommended price',
  least: 'the least of several prices',
  each: 'the price of a unit',
  net: 'without tax',
  gross: 'with tax',
};

/** What a word says of the amount next to it; undefined for another word. */
export const amountKind = (word: string): AmountKind | undefined => kindOf.get(word.toLowerCase());

/** That as words for a message. */
export const kindText = (kind: AmountKind): string => says[kind];

/** The words of a text that say which amount is next to them. */
export function amountWords(text: string): readonly string[] {
  return (text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []).filter((word) => kindOf.has(word));
}

/** Whether a text says of its amount that it has the tax in it, or not; undefined where it says neither. */
export function taxSaid(text: string): 'net' | 'gross' | undefined {
  const found = new Set(amountWords(text).map(amountKind));
  return found.has('net') === found.has('gross') ? undefined : found.has('net') ? 'net' : 'gross';
}
