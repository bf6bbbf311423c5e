// The cells of a workbook that are numbers: they have a point, whatever decimal sign the texts next to them have, and their
// format may show a currency next to them.
import { WrittenNumber } from '../json/written-number.js';
import { currenciesOf } from '../mapping/values/currency-signs.js';

export type CellValue = string | WrittenNumber;

/** A cell that is a number with a fraction, or one that is shown with a currency, by its index. */
export interface NumberCell {
  readonly at: number;
  /** The sign or code that its format shows. */
  readonly currency: string | undefined;
}

/** A number that a workbook shows with a currency. */
export class ShownNumber extends WrittenNumber {
  readonly #currency: string;

  constructor(text: string, currency: string) {
    super(text);
    this.#currency = currency;
  }

  get currency(): string {
    return this.#currency;
  }

  /** As it is shown: `9.50 CHF`. */
  get shown(): string {
    return `${this.text} ${this.#currency}`;
  }
}

/** A number with the currency that a workbook shows next to it, if there is one. */
export function shownText(number: WrittenNumber): string {
  return number instanceof ShownNumber ? number.shown : number.text;
}

export function withNumbers(cells: string[], numbers: readonly NumberCell[]): CellValue[] {
  const values: CellValue[] = [...cells];
  for (const { at, currency } of numbers) {
    const text = cells[at];
    if (text === undefined) continue;
    const name = currency?.replace(/\.$/, '');
    const isKnown = name !== undefined && currenciesOf(name) !== undefined;
    values[at] = isKnown ? new ShownNumber(text, name) : new WrittenNumber(text);
  }
  return values;
}

/** A cell as text, for the file of refused rows. @param isAmount whether it is read as an amount, with its currency */
export function textOfCell(cell: unknown, decimal: '.' | ',', isAmount: boolean): string {
  const text = isAmount && cell instanceof ShownNumber ? cell.shown : String(cell);
  return cell instanceof WrittenNumber && decimal === ',' ? text.replace('.', ',') : text;
}

/** An amount as `textOfCell` writes it, with its currency; other cells as they are. */
export function amountOfText(cell: unknown, decimal: '.' | ','): unknown {
  if (typeof cell !== 'string') return cell;
  const [, amount = '', currency = ''] = /^(-?[\d.,]+) (\S+)$/.exec(cell) ?? [];
  return currenciesOf(currency) === undefined ? cell : new ShownNumber(amount.replace(decimal, '.'), currency);
}
