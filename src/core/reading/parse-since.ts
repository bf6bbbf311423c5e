// Parses a point in time: Unix seconds, a date, or a time span before now.
import { spanSeconds } from '../text/duration.js';

/** The accepted forms, for messages. */
export const sinceForms =
  'Unix seconds, a date such as 2026-11-22 or 2026-11-22T08:30:00Z, or a time ago such as 7d, 12h, 30m';

/** A date, and a time of that day with or without its zone. */
const dateForm = /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})?)?$/;

/**
 * Parses a point in time; a date without a zone is in UTC.
 * @param now Unix seconds
 * @returns Unix seconds; undefined for another form, or a date that does not exist
 */
export function parseSince(text: string, now: number): number | undefined {
  const sent = text.trim();
  if (/^\d{1,12}$/.test(sent)) return Number(sent);
  const ago = spanSeconds(sent);
  if (ago !== undefined) return Math.max(0, now - ago);
  const [, year, month, day] = dateForm.exec(sent) ?? [];
  if (year === undefined) return undefined;
  // `Date` carries a day that the month does not have into the next month.
  const midnight = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(midnight) || Number(day) > daysIn(Number(year), Number(month))) return undefined;
  const zoned = /(?:Z|[+-]\d{2}:\d{2})$/.test(sent) || sent.length === 10 ? sent : `${sent}Z`;
  const time = Date.parse(zoned.replace(' ', 'T'));
  return Number.isNaN(time) ? undefined : Math.floor(time / 1000);
}

function daysIn(year: number, month: number): number {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}
