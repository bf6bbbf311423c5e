// Times in tables and messages that people read.

/**
 * A time as people read it: `2026-11-24 03:15:02 +01:00`, in the time zone of this machine. Forms for programs have RFC 3339.
 * @param seconds in Unix time
 */
export function shownTime(seconds: number): string {
  const date = new Date(seconds * 1000);
  const minutes = -date.getTimezoneOffset();
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${shownDay(seconds)} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())} ${offset}`;
}

/** Its day: `2026-11-24`. */
export function shownDay(seconds: number): string {
  const date = new Date(seconds * 1000);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** A value of a record as people read it: `created_at` and its like as a time. */
export function shownMember(name: string, value: unknown): unknown {
  return /_(?:at|since)$/.test(name) && typeof value === 'number' ? shownTime(value) : value;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}
