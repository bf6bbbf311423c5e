// Groups refusals by root cause: products refused because their category was refused are counted under that category, so
// that the summary names the one line to correct instead of a hundred.
import { itemOf } from '../../core/entry.js';
import type { Field, Fields } from '../../core/fields/fields.js';
import type { Notice } from '../../core/import-report.js';
import { counted } from '../../core/text/counted.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { fold } from '../../core/text/text.js';
import type { BatchResult, ImportedFile, ImportObserver, RootCause } from '../../importing/observer.js';
import { withRemarks } from '../run-notes.js';

/** Maximum refused records kept as possible causes. */
const mostCauses = 50_000;
const toldAtMost = 10;

interface Cause extends RootCause {
  readonly followed: Map<string, number>;
}

/** The observer that finds refusals caused by other refusals, over all files of an import. */
export function rootCauses(): ImportObserver {
  const causes = new Map<string, Cause>();
  let current: ImportedFile | undefined;
  return {
    begin(file) {
      current = file;
    },
    batch(result) {
      // Most batches have no refused items.
      if (result.report.refused === 0 || current === undefined) return undefined;
      const followers = followersIn(result, current, causes);
      return followers.size === 0 ? undefined : { ...result, followers };
    },
    finish(outcome) {
      const rootCauses = followedCauses(causes);
      if (rootCauses.length === 0) return undefined;
      const reported = withRemarks({ ...outcome, rootCauses }, wordsOf(rootCauses));
      for (const { followed } of causes.values()) followed.clear();
      return reported;
    },
  };
}

const causeId = (prefix: string, name: string): string => `${prefix}\0${fold(name.trim())}`;

/** The indexes of lines caused by an earlier refusal; the other refused ones are kept as possible causes. */
function followersIn(
  { report, lines, entries = [] }: BatchResult,
  { resource, file }: ImportedFile,
  causes: Map<string, Cause>,
): ReadonlySet<number> {
  const followers = new Set<number>();
  report.data.forEach((line, i) => {
    if (line.code === null) return;
    const cause = causesOf(itemOf(entries[i]), resource.fields, line.code, line.notice)
      .map(
        ({ prefix, name }) =>
          causes.get(causeId(prefix, name)) ?? causes.get(causeId(prefix, name.slice(name.lastIndexOf(' > ') + 3))),
      )
      .find((found) => found !== undefined);
    if (cause !== undefined) {
      followers.add(i);
      cause.followed.set(resource.command, (cause.followed.get(resource.command) ?? 0) + 1);
    }
    const own = causeId(resource.prefix, line.external_id);
    if (line.external_id === '' || causes.has(own) || causes.size >= mostCauses) return;
    causes.set(own, { resource, name: line.external_id, file, line: lines[i] ?? 0, followed: new Map() });
  });
  return followers;
}

/** The causes of refused items of this file, the most frequent first. */
function followedCauses(causes: ReadonlyMap<string, Cause>): RootCause[] {
  const sum = ({ followed }: RootCause): number => [...followed.values()].reduce((total, count) => total + count, 0);
  return [...causes.values()]
    .filter(({ followed }) => followed.size > 0)
    .map((cause) => ({ ...cause, followed: new Map(cause.followed) }))
    .sort((a, b) => sum(b) - sum(a));
}

/** `137 products refused: category "Phones" was refused (categories.csv:12)`; once each. */
function wordsOf(followed: readonly RootCause[]): string[] {
  const words = followed.slice(0, toldAtMost).map(({ resource, name, file, line, followed: by }) => {
    const what = [...by].map(([command, count]) => counted(count, command)).join(' and ');
    const cause = `${resource.title.toLowerCase()} ${JSON.stringify(sanitizeText(name))}`;
    return `${what} refused: ${cause} was refused (${sanitizeText(file)}:${line})`;
  });
  const more = followed.length - words.length;
  return more > 0 ? [...words, `and ${more} more causes of refusals`] : words;
}

/** The record that an item with an unknown reference refers to. */
function causesOf(
  item: unknown,
  fields: Fields,
  code: string,
  notice: readonly Notice[],
): { readonly prefix: string; readonly name: string }[] {
  if (code !== 'reference_not_found' && !notice.some((one) => one.code === 'reference_not_found')) return [];
  if (typeof item !== 'object' || item === null) return [];
  return Object.entries(fields).flatMap(([name, field]) => referred(field, (item as Record<string, unknown>)[name]));
}

function referred(field: Field, value: unknown): { readonly prefix: string; readonly name: string }[] {
  if (field.kind === 'reference' && typeof value === 'string')
    return field.prefixes.map((prefix) => ({ prefix, name: value }));
  if (field.kind !== 'list' || !Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) =>
    typeof entry === 'object' && entry !== null
      ? Object.entries(field.entry).flatMap(([name, inner]) =>
          referred(inner, (entry as Record<string, unknown>)[name]),
        )
      : [],
  );
}
