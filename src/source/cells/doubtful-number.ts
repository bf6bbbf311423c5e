// Numbers of files that have a second meaning, which the check of an item cannot see: it would take them for the first one.
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import { type NumberFault, numberProblem } from '../../core/diagnostics/number-problems.js';
import { type DecimalField, type IntegerField, isTime } from '../../core/fields/fields.js';
import { counted } from '../../core/text/counted.js';
import { type CoercionNotes, noteProblem } from './coercion-notes.js';

/** One sign before three digits: `1.000` is 1000 in one file and 1 in another. */
const grouped = /^\s*-?[1-9]\d{0,2}[.,]\d{3}\s*$/;

/** Decimals with which a field has numbers such as 2.500 of its own, as weights do. */
const groupedDigits = 3;

/** Amounts of a file that were read with a decimal point, though it may group thousands: 12.500. */
export interface OpenNumbers {
  take(path: string, text: string): void;
  notes(): FileNote[];
}

export function openNumbers(): OpenNumbers {
  const found = new Map<string, { count: number; readonly first: string }>();
  return {
    take(path, text) {
      const field = path.replace(/\[\d+\]/, '[]');
      const before = found.get(field);
      if (before === undefined) found.set(field, { count: 1, first: text });
      else before.count++;
    },
    notes: () =>
      [...found].map(([field, { count, first }]) => ({
        code: 'decimals_open',
        words: `${field}: ${first} read with a decimal point (${counted(count, 'amounts')} of this form); use --decimal . if that is right, or --decimal , if the point separates thousands`,
      })),
  };
}

type NumberReader = (value: unknown, notes: CoercionNotes) => unknown;

/**
 * A reader of numbers that notes those with two meanings.
 * @param open takes amounts whose third decimal is 0 (the check of the item refuses others); whole numbers of this form are refused
 */
export function watched(
  field: IntegerField | DecimalField,
  path: string,
  { open }: { readonly open?: OpenNumbers | undefined },
  read: NumberReader,
): NumberReader {
  const groups = open !== undefined && (field.kind === 'integer' || field.scale < groupedDigits);
  const times = field.kind === 'integer' && isTime(field);
  if (!groups && !times) return read;
  return (value, notes) => {
    if (groups && typeof value === 'string' && value.length > groupedDigits && grouped.test(value)) {
      if (field.kind === 'integer') {
        noteProblem(notes, numberProblem({ kind: 'ambiguous', isMapped: 'no' }, value.trim(), path));
        return undefined;
      }
      if (/\.\d\d0\s*$/.test(value)) open.take(path, value.trim());
    }
    const number = read(value, notes);
    if (times) watchTime(number, path, notes);
    return number;
  };
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
