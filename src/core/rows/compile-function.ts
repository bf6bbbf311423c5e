// Functions compiled from strings, for loops over columns that are known only at run time. Each has a plain form next to it,
// which a test holds equal and which runs where code generation is forbidden (--disallow-code-generation-from-strings).

let allowed: boolean | undefined;

/** Whether this process may make code from strings. */
export function canCompile(): boolean {
  if (allowed === undefined) {
    try {
      new Function('');
      allowed = true;
    } catch {
      allowed = false;
    }
  }
  return allowed;
}

/**
 * Makes a function from a body.
 * @param parameters the names of its parameters
 * @param body its code; every name and literal in it comes from this program
 */
export function compile<F>(parameters: readonly string[], body: string): F {
  return new Function(...parameters, body) as F;
}
