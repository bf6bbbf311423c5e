// What a code of a report means: of a refusal, a notice or a warning.
import type { CodeMeaning } from './code-meaning.js';
import { notices, refusals } from './refusal-codes.js';
import { warnings } from './warning-codes.js';

/** What a code is about: a refused item, an accepted one, or the run as a whole. */
export const codeKinds = { refusal: refusals, notice: notices, warning: warnings } as const;
export type CodeKind = keyof typeof codeKinds;

/** The meaning of a code; undefined for an unknown code. */
export function explain(code: string): (CodeMeaning & { readonly kind: CodeKind }) | undefined {
  for (const [kind, codes] of Object.entries(codeKinds)) {
    const found = Object.hasOwn(codes, code) ? (codes as Readonly<Record<string, CodeMeaning>>)[code] : undefined;
    if (found !== undefined) return { ...found, kind: kind as CodeKind };
  }
  return undefined;
}
