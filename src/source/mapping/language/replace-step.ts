// The step `replace`: texts, or what a regular expression matches. What it makes of a text has a bound.
import { quote } from '../../../core/text/text.js';
import { longestText, perText, type Step, tooLong } from './per-text.js';
import { compilePattern, type SafePattern } from './safe-pattern.js';
import type { StepScope } from './scope.js';

/** `replace: {"-": " "}` replaces texts; `replace: {pattern: "(\\d+)x(\\d+)", with: "$1 × $2"}` what an expression matches. */
export function replaceStep(given: unknown, about: StepScope): Step {
  const pairs = inOrder(Object.entries(given as Readonly<Record<string, unknown>>));
  const { pattern, with: replacement } = given as { readonly pattern?: unknown; readonly with?: unknown };
  if (pattern === undefined)
    return perText((text, context) => {
      let whole = text;
      for (const [from, to] of pairs) {
        const added = Math.max(0, String(to).length - from.length) * (whole.split(from).length - 1);
        if (whole.length + added > longestText) return tooLong(context, about.target);
        whole = whole.replaceAll(from, () => String(to));
      }
      return whole;
    });
  const expression = expressionOf(String(pattern), about);
  const beyond = String(replacement)
    .match(/\$\d+/g)
    ?.find((group) => Number(group.slice(1)) > expression.groups);
  if (beyond !== undefined)
    about.fail(about.place, `with: group ${beyond} not found; the expression has ${expression.groups}`);
  const literal = /\\(?:\d|g<\w+>)|\$\{\w+\}|\$0/.exec(String(replacement))?.[0];
  if (literal !== undefined) {
    const [group = ''] = /\d+|(?<=[{<])\w+/.exec(literal) ?? [];
    const meant = group === '0' ? '$&' : /^\d/.test(group) ? `$${group}` : `$<${group}>`;
    about.fail(`${about.place}.with`, `${quote(literal)} would be in the text as it is; write ${meant} for the group`);
  }
  const groups = String(replacement).match(/\$/g)?.length ?? 0;
  return perText((text, context) => {
    // At most so long: a match at each character, and the whole text in each group.
    const most = (text.length + 1) * String(replacement).length + text.length * (groups + 1);
    if (most > 64 * longestText) return tooLong(context, about.target);
    return expression.replace(text, String(replacement));
  });
}

/** Pairs as they are written, except that of whole numbers, which a mapping has in the order of their size, longer ones come first. */
function inOrder(pairs: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const isNumber = ([from]: readonly [string, unknown]) => /^(?:0|[1-9]\d*)$/.test(from);
  const numbers = pairs.filter(isNumber).sort(([one], [other]) => other.length - one.length);
  return [...numbers, ...pairs.filter((pair) => !isNumber(pair))];
}

export function expressionOf(pattern: string, about: Pick<StepScope, 'fail' | 'place'>): SafePattern {
  const compiled = compilePattern(pattern);
  return 'fault' in compiled ? about.fail(about.place, `${quote(pattern)} ${compiled.fault}`) : compiled;
}
