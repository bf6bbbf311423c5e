// Whether the items of a section are made of more than their own record. Refused ones are written back as items then: a
// record alone would not make the same item again.

import type { MappingSection } from '../mapping.js';
import { tablesOf } from '../used-tables.js';

/** Whether items of a section depend on other records of its file: of their group or key, before them, or of a table. */
export function joinsRecords(mapped: MappingSection): boolean {
  const { rows, once } = mapped.section;
  // A record has another number in the file of refused ones.
  const isNumbered = JSON.stringify(mapped.section).includes('$record');
  return (
    isNumbered ||
    rows !== undefined ||
    once !== undefined ||
    tablesOf(mapped).some(([, table]) => table.file === undefined)
  );
}
