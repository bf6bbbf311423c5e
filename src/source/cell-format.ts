// How a number of a workbook is shown: as a date, with fixed decimals, with leading zeros, as per cent.

/** What a number format means to a reader of data. */
export type CellFormat =
  | 'general'
  | 'date'
  | 'time'
  | { readonly decimals: number; readonly digits: number; readonly percent: boolean };

/** Formats that workbooks name by number only. */
const builtIn: Readonly<Record<number, CellFormat>> = {
  1: { decimals: 0, digits: 1, percent: false },
  2: { decimals: 2, digits: 1, percent: false },
  3: { decimals: 0, digits: 1, percent: false },
  4: { decimals: 2, digits: 1, percent: false },
  9: { decimals: 0, digits: 1, percent: true },
  10: { decimals: 2, digits: 1, percent: true },
  14: 'date',
  15: 'date',
  16: 'date',
  17: 'date',
  18: 'time',
  19: 'time',
  20: 'time',
  21: 'time',
  22: 'date',
  45: 'time',
  46: 'time',
  47: 'time',
};

/** The format of a style: its number, and its code where the workbook has one of its own. */
export function cellFormat(id: number, code: string | undefined): CellFormat {
  if (code === undefined) return builtIn[id] ?? 'general';
  // What stands in quotes or brackets, or behind a backslash, is decoration; behind ; are negative numbers.
  const plain = (code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, '').split(';', 1)[0] ?? '').trim();
  if (/[yd]/i.test(plain)) return 'date';
  if (/[hs]/i.test(plain)) return 'time';
  const match = /(0*)(?:\.(0+)([#?]*))?(%?)\D*$/.exec(plain.replaceAll(',', ''));
  const [, whole = '', fraction = '', optional = '', percent = ''] = match ?? [];
  if (match === null || whole === '' || optional !== '' || /e/i.test(plain)) return 'general';
  return { decimals: fraction.length, digits: whole.length, percent: percent === '%' };
}

/** The text of a number cell. */
export function cellText(value: string, format: CellFormat, from1904: boolean): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (format === 'date') return dateText(number, from1904);
  if (format === 'time' && number >= 0 && number < 1) return timeText(number);
  if (typeof format === 'string') return plainNumber(number);
  const { decimals, digits, percent } = format;
  // More decimals than are shown are kept: a price of 1.999 that shows as 2.00 is no 2.00.
  const scaled = percent ? number * 100 : number;
  const shown = scaled.toFixed(decimals);
  const text = Math.abs(Number(shown) - scaled) < 1e-9 * Math.max(1, Math.abs(scaled)) ? shown : plainNumber(scaled);
  const [sign, rest] = text.startsWith('-') ? ['-', text.slice(1)] : ['', text];
  const point = rest.indexOf('.');
  const padded = rest.padStart(point === -1 ? digits : digits + rest.length - point, '0');
  return `${sign}${padded}${percent ? '%' : ''}`;
}

/** As a spreadsheet shows it: fifteen digits, and no exponent up to there. */
function plainNumber(number: number): string {
  const rounded = Number(number.toPrecision(15));
  return Math.abs(rounded) < 1e21 && Math.abs(rounded) >= 1e-6
    ? String(rounded)
    : rounded === 0
      ? '0'
      : String(rounded);
}

/** Days since 1899-12-30 (the 29 February 1900 that never was is in them), or since 1904. */
function dateText(days: number, from1904: boolean): string {
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  const instant = new Date(epoch + Math.round(days * 86_400) * 1000);
  if (Number.isNaN(instant.getTime()) || days < 0) return plainNumber(days);
  const iso = instant.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

function timeText(share: number): string {
  return new Date(Math.round(share * 86_400) * 1000).toISOString().slice(11, 19);
}
