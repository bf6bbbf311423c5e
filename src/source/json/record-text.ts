// The text of one JSON record: its limits, its value, and the place where it is broken.
import { jsonVerifier, type VerifierError } from 'stream-json/core/utils/verifier.js';
import { CatalogError } from '../../core/errors.js';

/** The longest record, in characters: 400 values with their notes take a tenth of it. */
export const longestRecord = 4 * 1024 * 1024;

/**
 * Maximum lists and objects in one record. 4 MiB of text have room for a million of them, which take 300 MiB once
 * parsed.
 */
const mostContainers = 250_000;

/** Where a record is. */
interface RecordPlace {
  readonly file: string;
  readonly line: number;
  /** The longest record; `longestRecord` if undefined. */
  readonly longest?: number;
}

/** Receives a record: its text, its line, and its value or the offset of the syntax error. */
export type OnRecord = (raw: string, line: number, record: unknown, fault?: number) => void;

/** Cuts a JSON file into its records, block by block. */
export interface JsonCutter {
  /**
   * Emits the records that are complete in this block.
   * @throws CatalogError `input_unreadable` with line and column if the document is invalid
   */
  cut(block: string, last: boolean, onRecord: OnRecord): void;
  /** The members in addition to the list of the records so far; at most ten. */
  otherLists(): readonly string[];
}

/**
 * Reads the text of one record.
 * @returns its value, or the offset of the syntax error as in `faultIn`
 * @throws CatalogError if it is beyond the limits
 */
export function readRecord(raw: string, place: RecordPlace): { readonly value?: unknown; readonly fault?: number } {
  if (raw.length > (place.longest ?? longestRecord)) throw tooLong(place);
  if (raw.length > mostContainers && opened(raw) > mostContainers) {
    const what = `has more than ${mostContainers} lists and objects. Split the record`;
    throw new CatalogError('input_unreadable', `${place.file}: the record that begins on line ${place.line} ${what}.`);
  }
  try {
    return { value: JSON.parse(raw) };
  } catch {
    return { fault: faultIn(raw) };
  }
}

/**
 * Finds the syntax error in a text that is not JSON.
 * @returns the offset of the unexpected character, or the text's length if it is incomplete
 */
export function faultIn(text: string): number {
  try {
    // The white space completes a value at the end for the verifier.
    jsonVerifier()(text + ' '.repeat(20));
    return text.length;
  } catch (cause) {
    return Math.min((cause as VerifierError).offset, text.length);
  }
}

/** The error of a record that is still open at the limit. */
export function tooLong({ file, line, longest = longestRecord }: RecordPlace): CatalogError {
  const remedy = 'Split the record, or look for a bracket or quote that is never closed';
  return new CatalogError(
    'input_unreadable',
    `${file}: the record that begins on line ${line} does not end within ${longest} characters. ${remedy}.`,
  );
}

/** How many lists and objects a text opens, including brackets in its strings. */
function opened(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0x7b || unit === 0x5b) count++;
  }
  return count;
}
