// Numbers of files that have a second meaning, which the check of an item cannot see: it would take them for the first one.
import { type NumberFault, numberProblem } from '../../core/diagnostics/number-problems.js';
import { type DecimalField, type IntegerField, isTime } from '../../core/fields/fields.js';
import { type CoercionNotes, noteProblem } from './coercion-notes.js';

/** One sign before three digits: `1.000` is 1000 in one file and 1 in another. */
const grouped = /^\s*-?[1-9]\d{0,2}[.,]\d{3}\s*$/;

/** Decimals with which a field has numbers such as 2.500 of its own, as weights do. */
const groupedDigits = 3;

type NumberReader = (value: unknown, notes: CoercionNotes) => unknown;

/**
 * A reader of numbers that notes those with two meanings.
 * @param isOpen whether the values are texts of which nothing says what their decimal sign is
 */
export function watched(
  field: IntegerField | DecimalField,
  path: string,
  { isOpen }: { readonly isOpen?: boolean },
  read: NumberReader,
): NumberReader {
  const groups = isOpen === true && (field.kind === 'integer' || field.scale < groupedDigits);
  const times = field.kind === 'integer' && isTime(field);
  if (!groups && !times) return read;
  return (value, notes) => {
    // The check of the item would name another fault of it.
    if (groups && isGrouped(value, path, notes)) return undefined;
    const number = read(value, notes);
    if (times) watchTime(number, path, notes);
    return number;
  };
}

/** Notes a text that is one number or a thousand times that, depending on the decimal sign of the file. */
function isGrouped(text: unknown, path: string, notes: CoercionNotes): boolean {
  if (typeof text !== 'string' || text.length <= groupedDigits || !grouped.test(text)) return false;
  noteProblem(notes, numberProblem({ kind: 'ambiguous', isMapped: 'no' }, text.trim(), path));
  return true;
}

/** The first and the last day of a spreadsheet that a number is taken for: those from 1990 to 2099. */
const serials = { first: 32_874, last: 73_050 };
const dayMs = 86_400_000;
const spreadsheetEpoch = Date.UTC(1899, 11, 30);

/** Notes a number of Unix seconds that is a date of another form: 20250403, 202504031200, or 45992 of a spreadsheet. */
function watchTime(seconds: unknown, path: string, notes: CoercionNotes): void {
  const fault = typeof seconds === 'number' ? otherDate(seconds) : undefined;
  if (fault !== undefined) noteProblem(notes, numberProblem(fault, String(seconds), path));
}

function otherDate(seconds: number): NumberFault | undefined {
  const read = new Date(seconds * 1000);
  if (seconds >= serials.first && seconds <= serials.last)
    return { kind: 'day_number', day: dayOf(new Date(spreadsheetEpoch + seconds * dayMs)), read: dayOf(read) };
  const [, year, month, day, clock] =
    /^((?:19|20)\d\d)(\d\d)(\d\d)((?:[01]\d|2[0-3])[0-5]\d)?$/.exec(String(seconds)) ?? [];
  const written = `${year}-${month}-${day}`;
  if (year === undefined || new Date(`${written}T00:00Z`).toJSON()?.slice(0, 10) !== written) return undefined;
  return {
    kind: 'date_digits',
    day: written,
    read: dayOf(read),
    format: `YYYYMMDD${clock === undefined ? '' : 'HHmm'}`,
  };
}

const dayOf = (time: Date): string => time.toISOString().slice(0, 10);
