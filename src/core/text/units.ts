// Words for units: of weight, and for pieces, in the languages of suppliers.

/** Factors of units of weight in kilograms, by words in lower case. */
export const kilograms: Readonly<Record<string, number>> = {
  mg: 0.000001,
  ...ofAll('g gr grm gram grams gramm gramme grammes gramos г гр 克', 0.001),
  ...ofAll('kg kgs kgm kilo kilos kilogram kilograms kilogramm кг 公斤 千克', 1),
  t: 1000,
  ...ofAll('lb lbs lbr pound pounds', 0.45359237),
  ...ofAll('oz onz ounce ounces', 0.028349523125),
};

function ofAll(words: string, factor: number): Record<string, number> {
  return Object.fromEntries(words.split(' ').map((word) => [word, factor]));
}

/** Words for pieces. */
const pieces: ReadonlySet<string> = new Set(
  'st stk stck stück stuk stuks pc pcs pce piece pieces ea each units unit szt ks kpl db adet шт un und ud uds unid pz pièces kom buc gab vnt tk 個 台 件 个 點 개 ชิ้น chiếc cái'.split(
    ' ',
  ),
);

/** Whether a word stands for pieces. */
export const isPiece = (unit: string): boolean => pieces.has(unit.toLowerCase().replace(/\.$/, ''));

/** Metres, litres and grams with what may stand before them, in Latin and Cyrillic letters. */
const symbols = /^(?:[kmcdh]?[glm]|[кмсд]?[глм]|т)[23²³]?$/iu;

/** Whether a word is a unit of weight. */
export const isMass = (unit: string): boolean => Object.hasOwn(kilograms, unit.toLowerCase());

/** Beginnings that words for metres, litres, grams and tons have in many languages. */
const roots = /^(?:kilo|gram|m[eè]t[er]|lit[er]|ton(?:n|el|s?$)|кило|грам|метр|литр|тонн)/iu;

/** Whether a word is a unit of weight, length or volume. */
export const isMeasure = (unit: string): boolean => symbols.test(unit) || roots.test(unit) || isMass(unit);
