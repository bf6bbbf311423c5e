// One step of an expression, and the form most of them have: text by text.
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
import { WrittenNumber } from '../../json/written-number.js';
import { madeOf, type OneValue } from '../values/known-number.js';
import type { Context, MappedValue } from './scope.js';

export type Step = (value: MappedValue, context: Context) => MappedValue;

/** Maximum characters of what a step makes: fields take no longer texts, and a step may multiply them. */
export const longestText = 1024 * 1024;

/** Refuses a text before it grows without bounds; it counts as empty. */
export function tooLong({ refuse }: Context, target = ''): '' {
  refuse(sourceProblem('text_grown', { most: longestText }, target));
  return '';
}

/** Applies a step to each text that is not empty. */
export function perText(change: (text: string, context: Context) => string): Step {
  return perValue((value, context) =>
    typeof value === 'string' ? change(value, context) : madeOf(value, change(value.text, context)),
  );
}

/** Applies a step to each value that is not empty, and that may be a number that is known. */
export function perValue(change: (value: OneValue, context: Context) => OneValue): Step {
  return (value, context) => {
    if (typeof value === 'string') return value === '' ? '' : change(value, context);
    if (value instanceof WrittenNumber) return change(value, context);
    // Parts keep their places: lists next to each other stay so.
    let left = longestText;
    return value.map((part) => {
      const made = part === '' || left < 0 ? '' : change(part instanceof WrittenNumber ? part : String(part), context);
      left -= String(made).length;
      return left < 0 && made !== '' ? tooLong(context) : made;
    });
  };
}
