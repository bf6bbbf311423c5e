// How the dates of an expression are written: its formats, and the zone of those without an offset.
import { quote } from '../../../core/text/text.js';
import { formatFault, isTimeZone } from '../values/parse-date.js';
import type { Scope } from './scope.js';

/** @param given the format, or several; `zone` is next to it, or counts for the file */
export function dateForm(
  given: unknown,
  words: Readonly<Record<string, unknown>>,
  { scope, place }: { readonly scope: Scope; readonly place: string },
): { readonly formats: readonly string[]; readonly zone: string } {
  const zone = String(words['zone'] ?? scope.read.zone ?? 'UTC');
  if (!isTimeZone(zone)) scope.fail(place, `${quote(zone)} is not a time zone; use one such as Europe/Berlin`);
  const formats = [given].flat().map(String);
  for (const format of formats) {
    const fault = formatFault(format);
    const known = 'use YYYY, YY, MM, M, DD, D, HH, H, mm and ss, or iso or unix';
    if (fault !== undefined) scope.fail(place, `date: ${quote(format)} ${fault}; ${known}`);
  }
  return { formats, zone };
}
