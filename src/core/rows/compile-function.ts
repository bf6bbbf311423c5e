// Functions compiled from strings, for loops over columns that are known only at run time: the only place that makes code.

/** Makes a function from its body and the names of its parameters. */
type Compiler = (body: string, parameters: string[]) => unknown;

let compiler: Compiler = (body, parameters) => new Function(...parameters, body);

/**
 * To be called where a process or thread begins: where code generation is forbidden (--disallow-code-generation-from-strings),
 * functions are compiled as scripts are.
 * @param compileScript `compileFunction` of node:vm, which core does not know
 */
export function compileWhereForbidden(compileScript: Compiler): void {
  try {
    new Function('');
  } catch {
    compiler = compileScript;
  }
}

/**
 * Makes a function from a body.
 * @param parameters the names of its parameters
 * @param body its code; every name and literal in it comes from this program
 */
export function compile<F>(parameters: string[], body: string): F {
  return compiler(body, parameters) as F;
}
