// Text → the records of an NDJSON file, one a line.
import { type JsonCutter, longestRecord, type OnRecord, readRecord, tooLong } from './record-text.js';

/** Reads one value a line. Blank lines are counted and not emitted; an invalid line is emitted as such. */
export function ndjsonCutter(file: string, longest = longestRecord): JsonCutter {
  let carry = '';
  let line = 1;

  function take(raw: string, onRecord: OnRecord): void {
    if (!/[^ \t\r]/.test(raw)) return;
    const { value, fault } = readRecord(raw, { file, line, longest });
    onRecord(raw, line, value, fault);
  }

  return {
    otherLists: () => [],
    cut(block, last, onRecord) {
      // An incomplete line is parsed only when a block completes it.
      if (!last && !block.includes('\n')) carry += block;
      else {
        const text = carry + block;
        let at = 0;
        for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', at)) {
          take(text.slice(at, end), onRecord);
          line++;
          at = end + 1;
        }
        carry = text.slice(at);
      }
      if (carry.length > longest) throw tooLong({ file, line, longest });
      if (last) take(carry, onRecord);
    },
  };
}
