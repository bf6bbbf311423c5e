// Whether a moment is inside a period such as `2026-11-20T08:00+0100/2026-11-30`.
import { spanParser } from './date-span.js';

/**
 * @param period `start/end` in ISO 8601; either may be missing, and a day without a time ends with the day
 * @param now Unix seconds
 * @param zone the time zone of dates without an offset
 * @returns undefined if the text is not a period
 */
export function isDuring(period: string, now: number, zone: string): boolean | undefined {
  const [from = '', to, ...more] = period.split('/').map((part) => part.trim());
  if (to === undefined || more.length > 0) return undefined;
  const read = spanParser('iso', zone);
  const start = from === '' ? Number.NEGATIVE_INFINITY : read(from)?.from;
  const end = to === '' ? Number.POSITIVE_INFINITY : read(to)?.until;
  if (start === undefined || end === undefined) return undefined;
  return start <= now && now < end;
}
