// A value inside JSON that a cell holds: `json: variants[].sku` is that member of each entry of the list in the column `variants`.
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { mayLoseForm, parseWithTexts } from '../../json/written-number.js';
import { memberReader } from '../member-path.js';
import { type ColumnUse, columnOf } from './column-value.js';
import type { Evaluate } from './scope.js';

/** Reads a path in the JSON of a cell; the column is the longest beginning of the path that is one. */
export function jsonOf(path: string, use: ColumnUse): Evaluate {
  const { scope, target } = use;
  const ends = [...path.matchAll(/[.[]|$/g)].map(({ index }) => index).reverse();
  const end = ends.find((at) => scope.column(path.slice(0, at)) !== undefined) ?? ends.at(-1) ?? path.length;
  const column = path.slice(0, end);
  const cell = columnOf(column, { ...use, scope: { ...scope, takesObjects: true } });
  // Signs of paths in the name of a column are none.
  const name = column.replace(/[.[\]]/g, '_');
  const member = memberReader(name + path.slice(end));
  const inside = columnOf(path, { ...use, word: 'json', scope: { ...scope, named: undefined, column: () => member } });
  return (context) => {
    const text = cell(context);
    if (text === '') return '';
    try {
      return inside({ ...context, record: { [name]: parseWithTexts(String(text), mayLoseForm) } });
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause;
      context.refuse(sourceProblem('json_in_cell', { column, value: String(text) }, target));
      return '';
    }
  };
}
