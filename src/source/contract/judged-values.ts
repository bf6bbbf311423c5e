// An expectation about values, compiled for one file: it counts the values that are not as they are expected.
import type { RecordKey } from '../../core/fields/record-key.js';
import { exceedsShare, type Offender } from '../../core/ledger/guard-figure.js';
import { limitPercent, percent } from '../../core/text/percent.js';
import { groupDigits } from '../../core/text/sanitize.js';
import { nearest, quote } from '../../core/text/text.js';
import { type FileScope, fileScope } from '../mapping/file-scope.js';
import { compileExpression } from '../mapping/language/expression.js';
import { type Evaluate, toText } from '../mapping/language/scope.js';
import type { ReadRule } from '../mapping/mapping.js';
import type { Expectation, ExpectedFigure } from './contract.js';
import { shownAtMost, shownValue } from './expected-figure.js';
import type { ValueRule, ValueTest } from './rule.js';
import { valueRules } from './rule-list.js';

/** An expectation about values, and what was found so far. */
export interface JudgedValues {
  readonly expectation: Expectation & { readonly subject: string };
  readonly rule: ValueRule;
  /** Of a field, whose values are in items; else of a column. */
  readonly isOfField: boolean;
  readonly scope: FileScope;
  readonly read: Evaluate;
  readonly test: ValueTest;
  /** Values that were judged, and how many of them are not as expected. */
  of: number;
  count: number;
  readonly first: Offender[];
}

/** What the names of an expectation are compared with. */
export interface JudgedFile {
  readonly key: RecordKey;
  /** How its numbers are written. */
  readonly read: ReadRule;
  /** Undefined for records that are objects. */
  readonly columns: readonly string[] | undefined;
}

/**
 * Compiles an expectation.
 * @throws CatalogError `usage` for a name that is neither a field nor a column
 */
export function judgedValues(
  expectation: JudgedValues['expectation'],
  { key: { fields }, read: how, columns }: JudgedFile,
): JudgedValues {
  const { subject, rule: word, given, name, place } = expectation;
  const rule = valueRules[word] as ValueRule;
  const field = Object.hasOwn(fields, subject) ? fields[subject] : undefined;
  const isOfField = field !== undefined;
  const mapped = {
    name,
    place: '',
    section: { to: '', fields: {} },
    tables: {},
    read: isOfField ? ({ decimal: '.' } as const) : how,
  };
  const before = { tables: new Map(), repeated: new Set<string>() };
  const scope = fileScope({ ...mapped, isExample: isOfField }, isOfField ? undefined : columns, before);
  const isOfLists = rule.ofEmpty === true;
  if (field?.kind === 'list' && !isOfLists)
    scope.fail(place, `${subject} is a list; only filled: can be expected of it`);
  if (!isOfField && columns !== undefined && scope.indexOf(subject) === undefined) {
    const near = nearest(subject, [...Object.keys(fields), ...columns]);
    const hint = near === undefined ? '' : `; did you mean "${near.trim()}"?`;
    scope.fail(place, `${quote(subject)} is neither a field nor a column${hint}`);
  }
  const read = compileExpression(subject, { ...scope, takesLists: isOfLists, takesObjects: isOfLists }, place, '');
  const test = rule.test(given, { of: subject, scope, place });
  return { expectation, rule, isOfField, scope, read, test, of: 0, count: 0, first: [] };
}

/** Judges the value of a record or item. @param keyOf its key, for messages */
export function judgeValue(one: JudgedValues, record: unknown, line: number, keyOf: () => string): void {
  let isRefused = false;
  const refuse = (): void => {
    isRefused = true;
  };
  const context = { record, own: {}, refuse };
  const text = toText(one.read(context)).trim();
  if (text === '' && !isRefused && one.rule.ofEmpty !== true) return;
  one.of++;
  // A text that is no number refuses a record while it is compared.
  if (one.test({ context, text, line }) && !isRefused) return;
  if (one.count++ >= shownAtMost) return;
  one.first.push({ place: `line ${line}`, key: shownValue(keyOf()), words: shownValue(text) });
}

/** What was found, at the end of the file. */
export function valuesFigure({ expectation, rule, of, count, first }: JudgedValues): ExpectedFigure {
  const { subject, rule: word, given, option } = expectation;
  const limit = rule.share?.(given) ?? 0;
  const passed = !exceedsShare(count, limit, of);
  const share = percent(of === 0 ? 0 : count / of);
  const values = `${groupDigits(count)} of ${groupDigits(of)} values`;
  const words = `${subject}: ${values} ${rule.words(given)}, ${share} (limit ${limitPercent(limit)})`;
  const figure = { guard: `${subject}.${word}`, option, against: 'contract' as const, count, back: 0, of, limit };
  const told = { ...figure, passed, words: shownValue(words, 200) };
  return passed ? told : { ...told, offenders: first, more: count - first.length };
}
