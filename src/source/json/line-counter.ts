// Translates offsets in a text that arrives in blocks to lines and columns.

export interface LineCounter {
  /** Line and column of an offset in the current text, from 1; offsets must not decrease. */
  of(text: string, at: number): { readonly line: number; readonly column: number };
  /** Drops the text before `at`: the next text begins there. */
  drop(text: string, at: number): void;
}

/**
 * Counts lines and columns while text is consumed.
 * @param first the line on which the text begins
 */
export function lineCounter(first = 1): LineCounter {
  let line = first;
  // Offsets in the current text: how far lines are counted, where the line began (negative: in an earlier block), and
  // the next line break, so that a file of a single line is not searched for one again and again.
  let counted = 0;
  let lineStart = 0;
  let next = -1;
  function of(text: string, at: number): { readonly line: number; readonly column: number } {
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
    of,
    drop(text, at) {
      of(text, at);
      lineStart -= at;
      counted = 0;
      next = -1;
    },
  };
}
