// Finds the ends of strings and values in a JSON text that arrives in blocks.

export function stringScanner() {
  let open = false;
  let escaped = false;
  // The next backslash after an index of the text, so that a text without any is not searched for one with every string.
  let searched = '';
  let since = 0;
  let back = -1;

  function nextBack(text: string, from: number): number {
    if (from < since || from > back || text !== searched) {
      const at = text.indexOf('\\', from);
      back = at === -1 ? text.length : at;
      searched = text;
      since = from;
    }
    return back;
  }

  return {
    /** Whether the last string continues in the next text. */
    isOpen: () => open,
    /** Continues at `at`, within a string: returns the index after its closing quote, or the text's length if it continues. */
    end(text: string, at: number): number {
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

/** Follows a value from block to block. Brackets are counted and not matched: whoever reads the value judges it. */
export function valueScanner() {
  const strings = stringScanner();
  const afterScalar = /[\s,\]}]/g;
  let kind: 'unknown' | 'scalar' | 'string or brackets' = 'unknown';
  let depth = 0;
  return {
    /** Begins with another value. */
    begin() {
      kind = 'unknown';
      depth = 0;
    },
    /** Continues at `from`: returns the index after the value, or -1 if the value continues in the next text. */
    end(text: string, from: number): number {
      if (kind === 'unknown') kind = '"[{'.includes(text.charAt(from)) ? 'string or brackets' : 'scalar';
      if (kind === 'scalar') {
        afterScalar.lastIndex = from;
        return afterScalar.exec(text)?.index ?? -1;
      }
      let at = from;
      if (strings.isOpen()) {
        at = strings.end(text, at);
        if (depth === 0 && !strings.isOpen()) return at;
      }
      while (at < text.length) {
        const unit = text.charCodeAt(at++);
        if (unit === 0x22) {
          at = strings.end(text, at);
          if (depth === 0 && !strings.isOpen()) return at;
        } else if (unit === 0x7b || unit === 0x5b) depth++;
        else if ((unit === 0x7d || unit === 0x5d) && --depth === 0) return at;
      }
      return -1;
    },
  };
}
