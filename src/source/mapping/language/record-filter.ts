// Compiles the conditions `keep` and `skip` of a mapping into a record filter.
import type { Choosing } from '../mapping.js';
import { compileCondition, type Test } from './condition.js';
import type { Scope } from './scope.js';

/**
 * Compiles `keep`, whose conditions must all be true, and `skip`, of which none may be. Undefined if neither is given.
 */
export function recordFilter({ keep, skip }: Choosing, scope: Scope, place: string): Test | undefined {
  const kept = [keep ?? []].flat().map((condition, i) => compileCondition(condition, scope, `${place}.keep[${i}]`));
  const skipped = [skip ?? []].flat().map((condition, i) => compileCondition(condition, scope, `${place}.skip[${i}]`));
  if (kept.length + skipped.length === 0) return undefined;
  return (context) => kept.every((test) => test(context)) && !skipped.some((test) => test(context));
}
