// Groups refusals by cause: the code and the column. Each group keeps its first lines and an example.

import type { CauseReport, LinePlace } from '../run-report.js';
import { cutText } from './refused-collector.js';

/** Maximum groups; a hostile file may have a column, and so a cause, for every row. */
const mostCauses = 300;
const mostPlaces = 5;

/** A refusal to be grouped. */
interface Refusal {
  readonly code: string;
  readonly column: string;
  readonly isColumn: boolean;
  readonly resource: string;
  readonly place: LinePlace;
  readonly key: string;
  readonly reason: string;
}

interface CauseGroup extends Omit<CauseReport, 'places'> {
  count: number;
  readonly places: LinePlace[];
}

export interface CauseCollector {
  /** @returns the index of the cause; -1 beyond the maximum */
  add(refusal: Refusal): number;
  report(): { readonly causes: readonly CauseReport[]; readonly otherRefusals: number };
}

/** No cause yet. */
export function causeCollector(): CauseCollector {
  const groups: CauseGroup[] = [];
  const numbers = new Map<string, number>();
  let others = 0;
  return {
    add({ code, column, isColumn, resource, place, key, reason }) {
      const id = `${resource}\0${code}\0${column}`;
      const known = numbers.get(id);
      const group = groups[known ?? -1];
      if (known !== undefined && group !== undefined) {
        group.count++;
        if (group.places.length < mostPlaces) group.places.push(place);
        return known;
      }
      if (groups.length >= mostCauses) {
        others++;
        return -1;
      }
      numbers.set(id, groups.length);
      const example = { key: cutText(key, 100), reason: cutText(reason, 500) };
      groups.push({ code, column: cutText(column, 200), isColumn, resource, count: 1, places: [place], example });
      return groups.length - 1;
    },
    report: () => ({ causes: groups, otherRefusals: others }),
  };
}
