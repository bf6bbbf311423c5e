// Numbers for new products that are decided on a snapshot: their identifiers end in them (store/identifiers.ts).
import type { Value } from '../../core/rows/table.js';
import { MustLock } from './must-lock.js';
import { quoted } from './schema.js';
import type { Statement } from './session.js';
import type { SessionPool } from './session-pool.js';

/** How many are reserved at once, and how few of them are left when the next are: three transactions may be using them. */
const reserved = 8192;
const fewLeft = 6144;

export interface ProductNumbers {
  /** @throws MustLock if none is reserved */
  next(): number;
  /** Reserves numbers if they ran out. */
  reserveMissing(): Promise<void>;
  /** How many a transaction should reserve; it adds them to `last_product`, and passes the new value to `add`. */
  toReserve(): number;
  add(count: number, last: number): void;
  /** The statement that returns unused numbers, unless others were reserved behind them. */
  giveBack(): Statement[];
}

/** The numbers of one writer. Nothing is reserved before they ran out once: a small import uses no more than it needs. */
export function productNumbers(pool: SessionPool, schema: string): ProductNumbers {
  const catalog = `${quoted(schema)}.catalog`;
  let next = 0;
  let end = 0;
  let areMissing = false;

  function add(count: number, last: number): void {
    // What is left of the former ones is used first, unless another writer reserved some in between.
    if (last - count + 1 !== end) next = last - count + 1;
    end = last + 1;
  }

  return {
    add,
    next() {
      if (next < end) return next++;
      areMissing = true;
      throw new MustLock('no numbers are reserved');
    },
    async reserveMissing() {
      if (!areMissing) return;
      areMissing = false;
      const sql = `UPDATE ${catalog} SET last_product = last_product + $1 RETURNING last_product`;
      const onRow = ([last]: readonly Value[]): void => add(reserved, Number(last));
      await pool.use((session) => session.run([{ sql, values: [String(reserved)], onRow }]));
    },
    toReserve: () => (end > 0 && end - next < fewLeft ? reserved : 0),
    giveBack: () =>
      next === end
        ? []
        : [
            {
              sql: `UPDATE ${catalog} SET last_product = $1 WHERE last_product = $2`,
              values: [String(next - 1), String(end - 1)],
            },
          ],
  };
}
