// The checks of conditions, and of values by condition.
import { lastBranch } from '../language/planned-steps.js';
import { spanParser } from '../values/date-span.js';
import { isPlainNumber } from '../values/plain-numbers.js';
import {
  type Check,
  either,
  expected,
  filledText,
  flag,
  hasOneOf,
  isWords,
  listOf,
  oneOrMore,
  refined,
  scalar,
  shared,
  text,
  withForms,
  words,
} from './schema-checks.js';

const isoDate = spanParser('iso', 'UTC');

/** @param expression the check of expressions, which have conditions themselves */
export function conditionChecks(expression: Check): { readonly conditions: Check; readonly branches: Check } {
  const comparison = comparisonCheck(expression);
  const condition = shared(
    'condition',
    either(
      (value) => {
        const combines = isWords(value) && !Object.hasOwn(value, 'of') && hasOneOf(value, ['all', 'any', 'not']);
        return combines ? combination : comparison;
      },
      () => [comparison, combination],
    ),
  );
  const several = listOf(condition, 'a list of conditions such as [{of: Type, is: simple}]');
  const combination = words(
    { all: several, any: several, not: condition },
    'a condition such as {any: [{of: Type, is: simple}]}',
  );
  const conditions = oneOrMore(condition, 'a condition such as {of: Type, is: simple}, or a list of them');
  return { conditions, branches: branchesCheck(expression, conditions) };
}

function comparisonCheck(expression: Check): Check {
  const scalars = oneOrMore(scalar, 'a value or a list of values');
  const bound = (what: string, test: (text: string) => boolean): Check => {
    const constant = expected(what, (value) => ['string', 'number'].includes(typeof value) && test(String(value)));
    return either(
      (value) => (isWords(value) ? expression : constant),
      () => [constant, expression],
    );
  };
  const number = bound('a number such as 12.50, or words such as {column: Cost}', isPlainNumber);
  const date = bound(
    'now, a date such as 2026-11-30, or words such as {column: Until}',
    (text) => text === 'now' || isoDate(text) !== undefined,
  );
  const known = {
    ...{ is: scalars, not: scalars, contains: text(), begins: text(), matches: filledText('a regular expression') },
    ...{ empty: flag, current: flag },
    ...{ over: number, under: number, at_least: number, at_most: number },
    ...{ before: date, after: date },
  };
  const check = words({ of: expression, ...known }, 'a condition such as {of: Type, is: simple}', ['of']);
  const names = Object.keys(known);
  return refined(check, (value, path) =>
    hasOneOf(value as object, names)
      ? undefined
      : { path, message: `needs one of ${names.join(', ')} in addition to of:` },
  );
}

function branchesCheck(expression: Check, conditions: Check): Check {
  // A text is meant literally.
  const given = either(
    (value) => (isWords(value) ? expression : scalar),
    () => [scalar, expression],
  );
  const branch = words(
    // biome-ignore lint/suspicious/noThenProperty: a word of mappings
    { if: conditions, then: given },
    'a branch such as {if: {of: Stock, over: 0}, then: activated}',
    ['if', 'then'],
  );
  const otherwise = words({ else: given }, 'the last branch, such as {else: suspended}', ['else']);
  const isElse = (one: unknown) => isWords(one) && Object.hasOwn(one, 'else');
  const list = listOf(
    either(
      (one) => (isElse(one) ? otherwise : branch),
      () => [branch, otherwise],
    ),
    'a list of branches',
  );
  const check: Check = (value, path) => {
    const both = Array.isArray(value) ? value.findIndex((one) => isElse(one) && hasOneOf(one, ['if', 'then'])) : -1;
    if (both !== -1)
      return {
        path: [...path, both, 'else'],
        message: `is next to if: and then:; ${lastBranch((value as readonly { else: unknown }[])[both]?.else)}`,
      };
    const last = Array.isArray(value) ? value.findIndex(isElse) : -1;
    if (last !== -1 && last < (value as readonly unknown[]).length - 1)
      return { path: [...path, last + 1], message: 'is never reached, since else: is before it; write else: last' };
    return list(value, path);
  };
  return withForms(check, () => [list]);
}
