// Regular expressions of a mapping. They run on an engine whose time grows with the text and nothing else: with the one
// of JavaScript an expression such as (a+)+$ never ends. The home of re2js, which is loaded where a mapping has one.
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

/** Longest expression: what it is compiled to grows with it. */
const longest = 1000;

let engine: typeof import('re2js') | undefined;

/** A compiled expression. */
export interface SafePattern {
  /** The first group of the first match, or all of the match where there is no group; '' where nothing matches. */
  match(text: string): string;
  /** How many groups it has. */
  readonly groups: number;
  /** The text with every match replaced; `$1` and `$<name>` are groups. */
  replace(text: string, replacement: string): string;
}

/** Compiles an expression in the syntax of RE2, or says what is wrong with it. */
export function compilePattern(pattern: string): SafePattern | { readonly fault: string } {
  if (pattern.length > longest) return { fault: `is longer than ${longest} characters` };
  engine ??= createRequire(import.meta.url)('re2js') as typeof import('re2js');
  let compiled: RE2JS;
  try {
    compiled = engine.RE2JS.compile(pattern);
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
    replace: (text, replacement) => compiled.matcher(text).replaceAll(replacement),
  };
}
