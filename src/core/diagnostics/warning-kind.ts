// How a warning is declared.
import { ellipsize, groupDigits, sanitizeText } from '../text/sanitize.js';
import { quote } from '../text/text.js';
import type { CodeMeaning } from './code-meaning.js';

/** The declaration of a warning. */
export interface WarningKind<Params> extends CodeMeaning {
  /** Told of ordinary runs, too: `--fail-on warnings` leaves it out, `--fail-on` with its code does not. */
  readonly isRoutine?: true;
  readonly words: (params: Params) => string;
}

export function kind<Params extends object>(declared: WarningKind<Params>): WarningKind<Params> {
  return declared;
}

export interface OfFeed {
  readonly feed: string;
}

export interface OfFile {
  readonly file: string;
}

/** Keys that are named in a message. */
export const namedAtMost = 20;

/** The first keys, and how many more there are. */
export function firstKeys(keys: readonly string[], count: number): string {
  const first = keys.slice(0, namedAtMost).map((key) => ellipsize(sanitizeText(key), 40));
  const more = count > first.length ? ` and ${groupDigits(count - first.length)} more` : '';
  return `${first.join(', ')}${more}`;
}

/** How many missing keys would be created in another form. */
export function rewrittenKeysWords(count: number, example: string): string {
  return `${groupDigits(count)} ${count === 1 ? 'is a known key' : 'are known keys'} in another form: ${example}`;
}

export function listed(names: readonly string[]): string {
  return names.map((name) => quote(name)).join(', ');
}
