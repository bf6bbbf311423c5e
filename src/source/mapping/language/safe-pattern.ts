// Regular expressions in mappings. Their engine needs time linear in the text: with JavaScript's, an expression such as
// (a+)+$ might never end. The home of re2js.
import { RE2JS } from 're2js';
import { quote } from '../../../core/text/text.js';

/** Maximum length of an expression, which determines the size of its compiled form. */
const longest = 1000;

export interface SafePattern {
  /** The first group that took part in the first match, or the whole match if there is no group; '' without a match. */
  match(text: string): string;
  /** Whether any part of the text matches. */
  test(text: string): boolean;
  /** How many groups it has. */
  readonly groups: number;
  /** The text with every match replaced; `$1` and `$<name>` are groups. */
  replace(text: string, replacement: string): string;
}

/** Compiles an expression in RE2 syntax, or returns what is wrong with it. */
export function compilePattern(pattern: string): SafePattern | { readonly fault: string } {
  if (pattern.length > longest) return { fault: `is longer than ${longest} characters` };
  const fault = mistaken(pattern);
  if (fault !== undefined) return { fault };
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : String(cause);
    return {
      fault: `is not a regular expression that can be used (${why}); look-ahead and back-references are not supported`,
    };
  }
  const groups = compiled.groupCount();
  return {
    groups,
    match(text) {
      const matcher = compiled.matcher(text);
      if (!matcher.find()) return '';
      if (groups === 0) return matcher.group(0) ?? '';
      for (let group = 1; group <= groups; group++) {
        const part = matcher.group(group);
        if (part !== null) return part;
      }
      return '';
    },
    test: (text) => compiled.matcher(text).find(),
    replace: (text, replacement) => compiled.matcher(text).replaceAll(replacement),
  };
}

/** What of other notations is in an expression, where it would match nothing that was meant. */
function mistaken(pattern: string): string | undefined {
  const control = /(?![\t\n\r])\p{Cc}/u.exec(pattern)?.[0];
  if (control !== undefined) {
    const code = `U+${control.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
    const why = control === '\b' ? ', as "\\b" in double quotes is a backspace' : '';
    return `has the control character ${code}${why}; write the expression in single quotes, or \\\\ for each backslash`;
  }
  const [, inner, flags = ''] = /^\/((?:[^/\\]|\\.)+)\/([dgimsuvxy]*)$/s.exec(pattern) ?? [];
  if (inner === undefined) return undefined;
  const kept = [...new Set(flags)].filter((flag) => 'ims'.includes(flag)).join('');
  const meant = (kept === '' ? '' : `(?${kept})`) + inner.replaceAll('\\/', '/');
  const both = flags === '' ? `, or with slashes of the text as ${quote(`[/]${inner}[/]`)}` : '';
  return `has slashes around it, which would have to be in the text; write it without them: ${quote(meant)}${both}`;
}
