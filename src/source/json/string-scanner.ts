// Finds the ends of JSON strings in a text that arrives in blocks.

export interface StringScanner {
  /** Begins with another text. */
  begin(): void;
  /**
   * Continues at `at`, within a string: returns the index after its closing quote, or the text's length if it
   * continues.
   */
  end(text: string, at: number): number;
  /** Whether the last string continues in the next text. */
  isOpen(): boolean;
}

/** Follows strings from block to block. */
export function stringScanner(): StringScanner {
  let open = false;
  let escaped = false;
  // The next backslash, so that a text without any is not searched for one with every string.
  let back = -1;

  function nextBack(text: string, from: number): number {
    if (back < from) {
      const at = text.indexOf('\\', from);
      back = at === -1 ? text.length : at;
    }
    return back;
  }

  return {
    begin() {
      back = -1;
    },
    isOpen: () => open,
    end(text, at) {
      let i = escaped ? at + 1 : at;
      escaped = false;
      for (;;) {
        const quote = text.indexOf('"', i);
        const slash = nextBack(text, i);
        if (quote !== -1 && quote < slash) {
          open = false;
          return quote + 1;
        }
        i = slash + 2;
        if (i <= text.length) continue;
        open = true;
        escaped = slash === text.length - 1;
        return text.length;
      }
    },
  };
}
