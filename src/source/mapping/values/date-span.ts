// A date as the time that it covers: a day without a time of day lasts until its end, and so do a month and a year alone.
import { dateParser, endOf } from './parse-date.js';

/** Unix seconds; both are the same for a moment. */
export interface DateSpan {
  readonly from: number;
  readonly until: number;
}

/** Parses dates of one format; undefined if the text does not match it, or the day does not exist. */
export function spanParser(format: string, zone: string): (text: string) => DateSpan | undefined {
  const read = dateParser(format, zone);
  const isMoment = format === 'unix' || /H/.test(format);
  const unit = format === 'iso' || /D/.test(format) ? 'day' : /M/.test(format) ? 'month' : 'year';
  return (text) => {
    const from = read(text);
    if (from === undefined) return undefined;
    const isLong = format === 'iso' ? /^\d{4}-\d{2}-\d{2}$/.test(text) : !isMoment;
    return { from, until: isLong ? endOf(unit, from, zone) : from };
  };
}

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
