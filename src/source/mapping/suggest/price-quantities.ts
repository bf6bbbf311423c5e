// Prices for ten, a hundred or a thousand pieces: by their header, or by a column with the quantity of each record.

import { fold } from '../../../core/text/text.js';
import { isPiece } from '../../../core/text/units.js';
import type { ColumnProfile } from '../../inspection/column-profile.js';
import { currenciesOf } from '../values/currency-signs.js';
import { isPriceQuantity, piecesOfValue } from './amount-columns.js';
import { choicesOf } from './column-kinds.js';
import { columnWith } from './given.js';
import { namesPriceQuantity } from './price-header.js';

/** `je 100`, `/1000 pcs`, `(100)`, with the word that follows. */
const quantity = /(?:(?<!\p{L})(?:pro|per|pr\.?|je|par|por|za)\s*|\/\s*|\()(10{1,4})(?!\d)\s*(\p{L}+)?/iu;

/** The pieces that the header of a column, or units below it, say its amounts are for. */
function piecesOf({ name, values }: ColumnProfile): number | undefined {
  const units = values.filter((value) => /^\P{N}*\/\s*\d/u.test(value));
  return [name, ...units].map(piecesIn).find((pieces) => pieces !== undefined);
}

/** The pieces that a text says amounts are for; undefined for one, and for a measure: `Preis je 100 g`. */
function piecesIn(name: string): number | undefined {
  const [, digits, word] = quantity.exec(name) ?? [];
  const isOfPieces = word === undefined || isPiece(word) || currenciesOf(word) !== undefined;
  return digits !== undefined && isOfPieces ? Number(digits) : undefined;
}

const timesSteps = (factor: string): string[] => ['number: true', `times: ${factor}`, 'round: 2'];

/** The steps that make prices of one piece, where headers say for how many they are. */
export function quantitySteps(price: ColumnProfile, columns: readonly ColumnProfile[]): string[] {
  const pieces = piecesOf(price);
  if (pieces !== undefined) return timesSteps(`{ value: "${1 / pieces}" }`);
  const named = columns.find((one) => isPriceQuantity(one) && namesPriceQuantity(one.name));
  return named === undefined ? [] : stepsBy(named);
}

function stepsBy(column: ColumnProfile): string[] {
  const words = new Map((choicesOf(column) ?? []).map((value) => [fold(value), value]));
  const factors = [...words.values()].map((value) => `${JSON.stringify(value)}: ${1 / (piecesOfValue(value) ?? 1)}`);
  return timesSteps(columnWith(column.name, `map: { ${factors.join(', ')} }`));
}

/** What says that prices are for several pieces, and what to write then. */
export function quantityRemark(price: ColumnProfile, columns: readonly ColumnProfile[]): string | undefined {
  const pieces = piecesOf(price);
  if (pieces !== undefined)
    return `for ${pieces} pieces: write ${columnWith(price.name, ...quantitySteps(price, columns))}`;
  const column = columns.find(isPriceQuantity);
  if (column === undefined) return undefined;
  const quantities = choicesOf(column)?.join(', ');
  return `for the quantity in ${JSON.stringify(column.name)}: ${quantities}; if so, write ${columnWith(price.name, ...stepsBy(column))}`;
}
