// The guard of --max-refused: asked about every batch before it is applied, over all files of a run.

import { CatalogError } from '../core/errors.js';
import type { Line, Report } from '../core/line.js';
import { cut, printable } from './printable.js';

export interface Guard {
  /** Whether the batch may be applied; false once it would bring more refused items than allowed. */
  accept(report: Report): boolean;
  /** The failure that stopped the import, undefined where nothing did. `lines` are the batch's physical lines. */
  failure(lines: readonly number[] | undefined): CatalogError | undefined;
}

/** Refused items of the batch that was not applied, as shown: it is in no report, and its reasons must be seen. */
const shownAtMost = 10;

/** A guard that stops when more than `most` items are refused. */
export function refusalGuard(most: number): Guard {
  let refused = 0;
  let blocked: Report | undefined;
  return {
    accept(report) {
      refused += report.refused;
      if (refused > most && blocked === undefined) blocked = report;
      return blocked === undefined;
    },
    failure(lines = []) {
      if (blocked === undefined) return undefined;
      const reasons = blocked.data.flatMap((line, i) => (line.code === null ? [] : [reason(line, lines[i])]));
      const more = reasons.length - shownAtMost;
      const shown = [...reasons.slice(0, shownAtMost), ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n');
      const where = lines.length === 0 ? '' : ` (lines ${lines[0]} to ${lines.at(-1)})`;
      return new CatalogError(
        'guard_stopped',
        `Stopped: more than ${most} items are refused (--max-refused). The batch that goes beyond${where} was not applied, ` +
          `nor what follows it. Its refused items:\n${shown}`,
      );
    },
  };
}

function reason({ external_id, code, reason }: Line, physical: number | undefined): string {
  return `  line ${physical ?? '?'}: ${cut(printable(external_id), 40)}: ${code}: ${printable(reason ?? '')}`;
}
