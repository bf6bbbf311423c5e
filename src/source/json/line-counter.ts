// Translates offsets in a text that arrives in blocks to lines and columns.

/** A position in a file, counted from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Counts lines and columns while text is consumed. */
export function lineCounter() {
  let line = 1;
  // Offsets in the current text: how far lines are counted, where the line began (negative: in an earlier block), and
  // the next line break, so that a file of a single line is not searched for one again and again.
  let counted = 0;
  let lineStart = 0;
  let next = -1;
  function of(text: string, at: number): Position {
    for (;;) {
      if (next < counted) next = text.indexOf('\n', counted);
      if (next === -1) next = Number.POSITIVE_INFINITY;
      if (next >= at) break;
      line++;
      lineStart = counted = next + 1;
    }
    return { line, column: at - lineStart + 1 };
  }
  return {
    /** Line and column of an offset in the current text; offsets must not decrease. */
    of,
    /** Leaves a text behind: the next one follows it. */
    drop(text: string) {
      of(text, text.length);
      lineStart -= text.length;
      counted = 0;
      next = -1;
    },
  };
}
