// Formats numbers of a workbook as it shows them: as a date, with fixed decimals, with leading zeros, as per cent.

import { builtInDates, type DateShow, dateFormat } from './date-format.js';
import { type NumberFormat, numberFormat, withFormat } from './number-format.js';

/** The meaning of a number format for data. */
export type CellFormat = 'general' | 'date' | 'time' | DateShow | NumberFormat;

/** Number formats among the built-in ones, by id. */
const builtInNumbers: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
};

/** The format of a style: its id, and its code if the workbook defines one. */
export function cellFormat(id: number, named: string | undefined): CellFormat {
  const code = named ?? builtInDates[id] ?? builtInNumbers[id];
  if (code === undefined) return eastAsian(id) ?? 'general';
  // Text in quotes or brackets, or after a backslash, is decoration; negative numbers use the part after `;`.
  const plain = (code.replace(/"[^"]*"|\[(?!(?:hh?|mm?|ss?)\])[^\]]*\]|\\./gi, '').split(';', 1)[0] ?? '').trim();
  // `#,##0.00 USD` and `0 pcs` have letters of dates; of the digits, only those of `ss.000` are in a date.
  if (/[#0?]/.test(plain.replace(/s\.0+/gi, ''))) return numberFormat(code) ?? 'general';
  // A date format without a certain meaning is written as 2025-12-24, which is unambiguous.
  if (/[yd]/i.test(plain)) return dateFormat(code) ?? 'date';
  if (/[hs]/i.test(plain)) return dateFormat(code) ?? 'time';
  if (/m/i.test(plain)) return dateFormat(code) ?? 'date';
  return numberFormat(code) ?? 'general';
}

/** The built-in dates and times of Chinese, Japanese and Korean, whose codes differ with the language and are not in the file. */
function eastAsian(id: number): 'date' | 'time' | undefined {
  if (id === 32 || id === 33) return 'time';
  return (id >= 27 && id <= 36) || (id >= 50 && id <= 58) ? 'date' : undefined;
}

/** The text of a number cell. */
export function cellText(value: string, format: CellFormat, from1904: boolean): string {
  const number = Number(value);
  if (!Number.isFinite(number)) return value;
  if (typeof format === 'function') return shownDate(number, format, from1904);
  if (format === 'date') return dateText(number, from1904);
  if (format === 'time' && number >= 0 && number < 1) return timeText(number);
  // A number that another program wrote with more digits than a double has is kept as written.
  if (format === 'general' && /^-?\d{16,}$/.test(value)) return value;
  if (typeof format === 'string') return plainNumber(number);
  const { decimals, percent } = format;
  const scaled = percent ? number * 100 : number;
  if (decimals < 0) return withFormat(plainNumber(scaled), format);
  // More decimals than are shown are kept: a price of 1.999 that shows as 2.00 is not 2.00. Rounding errors after the
  // fourteenth digit are ignored.
  const shown = scaled.toFixed(decimals);
  return withFormat(Number(shown) === Number(scaled.toPrecision(14)) ? shown : plainNumber(scaled), format);
}

/** As a spreadsheet shows it: fifteen digits, of which a column shows eleven where the others are rounding errors. */
function plainNumber(number: number): string {
  const shown = Number(number.toPrecision(11));
  const isNoise = !Number.isInteger(number) && Math.abs(number - shown) < Math.abs(number) * rounding;
  return String(isNoise ? shown : Number(number.toPrecision(15)));
}

const rounding = 1e-14;

/** A date in its format; undefined before the first day. */
function shownDate(days: number, show: DateShow, from1904: boolean): string {
  const instant = instantOf(days, from1904) / 1000;
  return days < 0 || Number.isNaN(new Date(instant * 1000).getTime())
    ? plainNumber(days)
    : show(instant, days * 86_400);
}

/**
 * Days since 1899-12-30 (including 29 February 1900, which did not exist), or since 1904 → milliseconds of the epoch.
 */
function instantOf(days: number, from1904: boolean): number {
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < 60 ? 31 : 30);
  return epoch + days * 86_400_000;
}

/** A day, and its time if it has one, in ISO 8601. */
function dateText(days: number, from1904: boolean): string {
  const instant = new Date(Math.round(instantOf(days, from1904) / 1000) * 1000);
  if (Number.isNaN(instant.getTime()) || days < 0) return plainNumber(days);
  const iso = instant.toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;
}

function timeText(share: number): string {
  return new Date(Math.round(share * 86_400) * 1000).toISOString().slice(11, 19);
}
