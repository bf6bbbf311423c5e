// Counts rows of one kind, and keeps the lines of the first ones.

const mostLines = 5;

/** The number of rows, and the lines of the first ones. */
export interface SeenRows {
  readonly count: number;
  readonly lines: readonly number[];
}

export interface RowTally extends SeenRows {
  take(line: number): void;
}

export function rowTally(): RowTally {
  const lines: number[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    lines,
    take(line) {
      if (count++ < mostLines) lines.push(line);
    },
  };
}

/** @example `line 3`, `lines 3, 5, 7, 8, 9 and 2 more` */
export function linesOf({ count, lines }: SeenRows): string {
  const more = count > lines.length ? ` and ${count - lines.length} more` : '';
  return `${count === 1 ? 'line' : 'lines'} ${lines.join(', ')}${more}`;
}
