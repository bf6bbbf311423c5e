// `columns: exact`: no column that nothing reads. `columns: [Art, VK]`: these columns, no other and none fewer, in any order.
import { counted } from '../../../core/text/counted.js';
import { either, filledText, listOf, only } from '../../mapping/schema/schema-checks.js';
import type { FileRule } from '../rule.js';

const exact = only('exact');
const names = listOf(filledText("a column's name"), 'exact, or a list of columns such as [Art, VK]');

export const columns: FileRule = {
  check: either(
    (given) => (given === 'exact' ? exact : names),
    () => [exact, names],
  ),
  judge(given, { columns: found, unused }) {
    const listed = Array.isArray(given) ? given.map((name) => String(name).trim()) : undefined;
    const added = listed === undefined ? unused : found.filter((name) => !listed.includes(name));
    const missing = listed?.filter((name) => !found.includes(name)) ?? [];
    const count = added.length + missing.length;
    const why = listed === undefined ? 'nothing reads' : 'the list lacks';
    const gone = missing.length > 0 ? `, ${counted(missing.length, 'columns')} missing` : '';
    return {
      count,
      limit: 0,
      passed: count === 0,
      words: count === 0 ? 'as expected' : `${counted(added.length, 'columns')} that ${why}${gone}`,
      offenders: [...added.map((name) => `${name}: new`), ...missing.map((name) => `${name}: missing`)],
    };
  },
};
