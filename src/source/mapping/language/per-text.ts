// One step of an expression, and the form most of them have: text by text.
import { sourceProblem } from '../../../core/diagnostics/source-problems.js';
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
  return (value, context) => {
    if (typeof value === 'string') return value === '' ? '' : change(value, context);
    // Parts keep their places: lists next to each other stay so.
    let left = longestText;
    return value.map((part) => {
      const text = part === '' || left < 0 ? '' : change(String(part), context);
      left -= text.length;
      return left < 0 && text !== '' ? tooLong(context) : text;
    });
  };
}
