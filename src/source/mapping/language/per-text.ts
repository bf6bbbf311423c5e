// One step of an expression, and the form most of them have: text by text.
import type { Context, MappedValue } from './expression.js';

/** One step of an expression. */
export type Step = (value: MappedValue, context: Context) => MappedValue;

/** Applies a step to each text that is not empty. */
export function perText(change: (text: string, context: Context) => string): Step {
  return (value, context) => {
    if (typeof value === 'string') return value === '' ? '' : change(value, context);
    // Parts keep their places: lists beside each other stay so.
    return value.map((part) => (part === '' ? '' : change(String(part), context)));
  };
}
