// The cells of a workbook that are numbers: they have a point, whatever decimal sign the texts next to them have.
import { WrittenNumber } from '../json/written-number.js';

export type CellValue = string | WrittenNumber;

/** @param numbers the indexes of those with a fraction */
export function withNumbers(cells: string[], numbers: readonly number[]): CellValue[] {
  const values: CellValue[] = [...cells];
  for (const at of numbers) if (at < cells.length) values[at] = new WrittenNumber(cells[at] ?? '');
  return values;
}

/** A cell as a text file has it, in which all numbers have one sign. */
export function textOfCell(cell: unknown, decimal: '.' | ','): string {
  return cell instanceof WrittenNumber && decimal === ',' ? cell.text.replace('.', ',') : String(cell);
}
