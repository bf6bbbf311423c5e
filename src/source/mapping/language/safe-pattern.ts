// Regular expressions in mappings. Their engine needs time linear in the text: with JavaScript's, an expression such as
// (a+)+$ might never end. The home of re2js.
import { RE2JS } from 're2js';

/** Maximum length of an expression, which determines the size of its compiled form. */
const longest = 1000;

export interface SafePattern {
  /** The first group of the first match, or the whole match if there is no group; '' without a match. */
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
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(pattern);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.replace(/^error parsing regexp: /, '') : String(cause);
    return {
      fault: `is not a regular expression that can be used (${why}); look-ahead and back-references are not supported`,
    };
  }
  const group = compiled.groupCount() > 0 ? 1 : 0;
  return {
    groups: compiled.groupCount(),
    match(text) {
      const matcher = compiled.matcher(text);
      return matcher.find() ? (matcher.group(group) ?? '') : '';
    },
    test: (text) => compiled.matcher(text).find(),
    replace: (text, replacement) => compiled.matcher(text).replaceAll(replacement),
  };
}
