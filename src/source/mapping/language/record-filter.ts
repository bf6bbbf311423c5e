// Compiles the conditions `keep` and `skip` of a mapping into a record filter.
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { fold } from '../../../core/text/text.js';
import type { Choosing, Condition } from '../mapping.js';
import { isDuring } from '../values/is-during.js';
import { type Context, compileExpression, type Scope, toText } from './expression.js';

/** Whether a record passes the filter. */
export type RecordFilter = (context: Context) => boolean;

/**
 * Compiles `keep`, whose conditions must all be true, and `skip`, of which none may be. Undefined if neither is given.
 */
export function recordFilter({ keep, skip }: Choosing, scope: Scope, place: string): RecordFilter | undefined {
  const kept = [keep ?? []].flat().map((condition, i) => testOf(condition, scope, `${place}.keep[${i}]`));
  const skipped = [skip ?? []].flat().map((condition, i) => testOf(condition, scope, `${place}.skip[${i}]`));
  if (kept.length + skipped.length === 0) return undefined;
  return (context) => kept.every((test) => test(context)) && !skipped.some((test) => test(context));
}

function testOf(condition: Condition, scope: Scope, place: string): RecordFilter {
  const { is, not, contains, begins, empty, current } = condition;
  // Whether a list has entries, or one that contains a text, can be told of all of it.
  const takesLists = is === undefined && not === undefined && begins === undefined && current === undefined;
  const value = compileExpression(condition.of, { ...scope, takesLists }, `${place}.of`, '');
  const words = (given: string | readonly string[]) => new Set([given].flat().map((word) => fold(String(word).trim())));
  const among = is === undefined ? undefined : words(is);
  const beyond = not === undefined ? undefined : words(not);
  const part = contains === undefined ? undefined : fold(contains);
  const start = begins === undefined ? undefined : fold(begins);
  return (context) => {
    const written = toText(value(context)).trim();
    const text = fold(written);
    return (
      (among === undefined || among.has(text)) &&
      (beyond === undefined || !beyond.has(text)) &&
      (part === undefined || text.includes(part)) &&
      (start === undefined || text.startsWith(start)) &&
      (empty === undefined || empty === (text === '')) &&
      (current === undefined || current === isCurrent(written, context, { scope, place }))
    );
  };
}

/** Whether the import runs within a period; a text that is none refuses the item. */
function isCurrent(
  period: string,
  { refuse }: Context,
  { scope, place }: { readonly scope: Scope; readonly place: string },
): boolean {
  if (period === '') return true;
  const now = scope.now ?? scope.fail(place, 'current: the time of the import is not known');
  const isNow = isDuring(period, now, scope.read.zone ?? 'UTC');
  if (isNow === undefined)
    refuse(sourceProblem('date_format', { source: place, value: period, formats: ['iso/iso'] }, ''));
  return isNow === true;
}
