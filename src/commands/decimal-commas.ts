// Amounts refused for their decimal comma: counted, so that the one option that reads them is said once a file, beside
// the refused lines.
import { grouped } from './printable.js';
import type { Told } from './reporter.js';

/** Counts refused amounts with a decimal comma. */
export interface DecimalCommas {
  tell(told: Pick<Told, 'report'>): void;
  /** Ends a file: what would read its amounts, where it has such; at most one line. */
  words(): string[];
}

/** Begins with none. */
export function decimalCommas(): DecimalCommas {
  let count = 0;
  let first = '';
  return {
    tell({ report }) {
      for (const line of report.data) {
        if (line.code === null) continue;
        const said = [line.reason ?? '', ...line.notice.map(({ message }) => message)];
        const amount = said.map((words) => /"(-?\d[\d.]*,\d+)" is no plain decimal/.exec(words)?.[1]).find(Boolean);
        if (amount === undefined) continue;
        if (count++ === 0) first = amount;
      }
    },
    words() {
      if (count === 0) return [];
      const many = count === 1 ? `${first} is` : `${first} and others in ${grouped(count)} items are`;
      count = 0;
      return [`${many} refused for a decimal comma: --decimal , reads such amounts.`];
    },
  };
}
