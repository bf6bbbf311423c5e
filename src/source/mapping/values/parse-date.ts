// Parses dates into Unix seconds, by a format and, for dates without an offset, a time zone.
import { escapePattern } from '../../../core/text/text.js';

/** Parses a date; undefined if the text does not match the format, or the day does not exist. */
export type DateParser = (text: string) => number | undefined;

const parts: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  YY: '(?<short>\\d{2})',
  MM: '(?<month>\\d{2})',
  M: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{2})',
  D: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{2})',
  H: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
};

const partOrSign = /YYYY|YY|MM|M|DD|D|HH|H|mm|ss|[^A-Za-z]|[A-Za-z]/g;

const kinds: Readonly<Record<string, string>> = {
  Y: 'year',
  M: 'month',
  D: 'day',
  H: 'hour',
  m: 'minute',
  s: 'second',
};

/** Why a format is none of dates: it has a part twice, as `DD-MMM-YY` has, or not what a date needs; undefined if it is one. */
export function formatFault(format: string): string | undefined {
  if (format === 'unix' || format === 'iso') return undefined;
  const found = (format.match(partOrSign) ?? []).filter((part) => Object.hasOwn(parts, part));
  const named = found.map((part) => kinds[part.charAt(0)] ?? '');
  const again = named.find((kind, i) => named.indexOf(kind) !== i);
  if (again !== undefined) return `has the ${again} twice`;
  if (!named.includes('year')) return 'has no year';
  return named.includes('day') && !named.includes('month') ? 'has a day and no month' : undefined;
}

/**
 * Compiles a format: `iso`, `unix`, or one such as `DD.MM.YYYY HH:mm`.
 * @param zone an IANA zone such as Europe/Berlin, for dates without an offset
 */
export function dateParser(format: string, zone: string): DateParser {
  if (format === 'unix') return (text) => (/^\d{1,11}$/.test(text) ? Number(text) : undefined);
  if (format === 'iso') return (text) => isoDate(text, zone);
  const pattern = format.replace(partOrSign, (part) =>
    Object.hasOwn(parts, part) ? (parts[part] ?? '') : escapePattern(part),
  );
  const expression = new RegExp(`^${pattern}$`);
  return (text) => {
    const found = expression.exec(text)?.groups;
    if (found === undefined) return undefined;
    const short = Number(found['short'] ?? 0);
    const year = found['year'] ?? String(short < 70 ? 2000 + short : 1900 + short);
    return secondsOf(
      [year, found['month'] ?? '1', found['day'] ?? '1', found['hour'], found['minute'], found['second']],
      zone,
    );
  };
}

export function isTimeZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function isoDate(text: string, zone: string): number | undefined {
  const match =
    /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/.exec(
      text,
    );
  if (match === null) return undefined;
  const [, year = '', month = '', day = '', hour, minute, second, offset] = match;
  const seconds = secondsOf([year, month, day, hour, minute, second], offset === undefined ? zone : 'UTC');
  if (seconds === undefined || offset === undefined || offset === 'Z') return seconds;
  const away = (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2))) * 60;
  return offset.startsWith('-') ? seconds + away : seconds - away;
}

/** The Unix seconds of a local time; undefined if the day or hour does not exist. */
function secondsOf(texts: readonly (string | undefined)[], zone: string): number | undefined {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = texts.map((text) => Number(text ?? 0));
  const local = utc(year, month, day, hour, minute, second);
  const made = new Date(local);
  if (made.getUTCMonth() !== month - 1 || made.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59)
    return undefined;
  if (zone === 'UTC') return local / 1000;
  // The offset at the resulting time; determined twice, since it may change between the two.
  const first = local - offsetAt(local, zone);
  return (local - offsetAt(first, zone)) / 1000;
}

/**
 * The end of a day, month or year, which is 23 or 25 hours after the beginning of its last day where clocks are changed.
 * @param from its beginning, in Unix seconds
 */
export function endOf(unit: 'day' | 'month' | 'year', from: number, zone: string): number {
  const begin = new Date(from * 1000 + offsetAt(from * 1000, zone));
  const more = (one: typeof unit) => (one === unit ? 1 : 0);
  const [year, month, day] = [begin.getUTCFullYear(), begin.getUTCMonth() + 1, begin.getUTCDate()];
  const next = new Date(utc(year + more('year'), month + more('month'), day + more('day'), 0, 0, 0));
  const date = [next.getUTCFullYear(), next.getUTCMonth() + 1, next.getUTCDate()];
  return secondsOf(date.map(String), zone) ?? from + 86_400;
}

const clocks = new Map<string, Intl.DateTimeFormat>();

/**
 * Offsets change at quarters of an hour at the finest. Asking for one costs 4 µs, and a feed has few different dates.
 */
const quarter = 900_000;
const offsets = new Map<string, number>();

function offsetAt(instant: number, zone: string): number {
  const id = `${zone}${Math.floor(instant / quarter)}`;
  const known = offsets.get(id);
  if (known !== undefined) return known;
  if (offsets.size >= 20_000) offsets.clear();
  const offset = askOffset(Math.floor(instant / quarter) * quarter, zone);
  offsets.set(id, offset);
  return offset;
}

function askOffset(instant: number, zone: string): number {
  let clock = clocks.get(zone);
  if (clock === undefined) {
    const two = '2-digit' as const;
    const shown = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
    clock = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...shown });
    clocks.set(zone, clock);
  }
  const part = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
  return utc(year, month, day, hour, minute, second) - instant;
}

/** `Date.UTC`, which takes the years 0 to 99 for those of the 20th century. */
function utc(year: number, month: number, day: number, hour: number, minute: number, second: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) + ((hour * 60 + minute) * 60 + second) * 1000;
}
