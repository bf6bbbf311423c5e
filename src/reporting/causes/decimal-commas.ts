// Counts amounts refused for their decimal comma, to suggest --decimal once per file.
import type { Line } from '../../core/import-report.js';
import { groupDigits } from '../../core/text/sanitize.js';
import type { ImportObserver } from '../../importing/observer.js';
import { withRemarks } from '../run-notes.js';

/** The observer that counts refused amounts with a decimal comma: at most one remark per file. */
export function decimalCommas(): ImportObserver {
  let count = 0;
  let first = '';
  // Cells are read by the mapping: what is refused here are its own constants, or those of --set.
  let isConstant = false;
  return {
    begin({ isMapped }) {
      count = 0;
      isConstant = isMapped === true;
    },
    batch({ report }) {
      if (report.refused === 0) return;
      for (const line of report.data) {
        const amount = amountIn(line);
        if (amount !== undefined && count++ === 0) first = amount;
      }
    },
    finish(outcome) {
      if (count === 0) return undefined;
      const many = count === 1 ? `${first} is` : `${first} and others in ${groupDigits(count)} items are`;
      const plain = first.replace(/[^\d,-]/g, '').replace(',', '.');
      const help = isConstant
        ? `a mapping and --set write numbers with a decimal point: ${plain}`
        : '--decimal , reads such amounts';
      return withRemarks(outcome, [`${many} refused for a decimal comma: ${help}.`]);
    },
  };
}

/** The amount with a decimal comma that caused the refusal of a line, if any. */
function amountIn({ code, diagnostics }: Line): string | undefined {
  if (code === null) return undefined;
  const found = diagnostics?.find(({ value, params }) => params?.['form'] === 'amount' && hasDecimalComma(value));
  return found === undefined ? undefined : String(found.value);
}

function hasDecimalComma(value: unknown): boolean {
  return typeof value === 'string' && /^-?\d[\d. \u00a0\u2009\u202f'’]*,\d+$/.test(value);
}
