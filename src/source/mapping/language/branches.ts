// Values by condition: `when: [{if: …, then: …}, {else: …}]`.
import { quote } from '../../../core/text/text.js';
import type { Expression, ValueBranch } from '../mapping.js';
import { compileCondition } from './condition.js';
import type { Evaluate, Scope } from './scope.js';

/** Whether `when` gives values; otherwise it is a condition on the value next to it. */
export function isBranches(when: unknown): when is readonly ValueBranch[] {
  return [when].flat().some((one) => ['if', 'then', 'else'].some((word) => Object.hasOwn(Object(one), word)));
}

/** The value of the first branch whose conditions hold; empty where none does. */
export function branchesOf(
  branches: readonly ValueBranch[],
  scope: Scope,
  { at, compile }: { readonly at: string; readonly compile: (value: Expression, at: string) => Evaluate },
): Evaluate {
  const made = branches.map((branch, i) => {
    const place = `${at}[${i}]`;
    const [word, value] = 'then' in branch ? (['then', branch.then] as const) : (['else', branch.else] as const);
    const conditions = 'if' in branch ? [branch.if].flat() : [];
    if (typeof value === 'string' && scope.isColumn(value))
      scope.fail(
        `${place}.${word}`,
        `${quote(value)} is a column of the file; write {column: ${value}}, or {value: ${value}} for the word itself`,
      );
    return {
      tests: conditions.map((one, at) => compileCondition(one, scope, `${place}.if[${at}]`)),
      evaluate: compile(typeof value === 'object' ? value : { value }, `${place}.${word}`),
    };
  });
  return (context) => made.find(({ tests }) => tests.every((test) => test(context)))?.evaluate(context) ?? '';
}
