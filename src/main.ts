// The program: runs the typed command, prints a failure, sets the exit code.
import { compileFunction } from 'node:vm';
import { CommanderError } from 'commander';
import { exitCodes, failureExitCodes, signalExitCodes } from './cli/exit-codes.js';
import { watchOutput } from './cli/lost-output.js';
import { buildProgram } from './cli/program.js';
import { CatalogError, type ErrorCode } from './core/errors.js';
import { compileWhereForbidden } from './core/rows/compile-function.js';
import { maskCredentials } from './core/text/mask-credentials.js';
import { sanitizeLines } from './core/text/sanitize.js';

/** Runs the command line of `process` and sets its exit code. */
export async function run(process: NodeJS.Process): Promise<void> {
  compileWhereForbidden(compileFunction);
  outliveReaders(process);
  let endLog = (): void => undefined;
  try {
    const program = await buildProgram(process);
    program.hook('preAction', async (_, command) => {
      if (command.optsWithGlobals()['verbose'] !== true) return;
      const { startLog } = await import('./cli/verbose-log.js');
      endLog = startLog(command, process);
    });
    await program.parseAsync(process.argv);
  } catch (error) {
    process.exitCode = fail(error, process);
  } finally {
    endLog();
  }
}

/**
 * The reader of stdout may leave (`| head`): an import continues, and keeps its exit code. A report that is lost in
 * another way, as on a full disk, is a failure.
 */
function outliveReaders(process: NodeJS.Process): void {
  process.stderr.on('error', () => {});
  const exitAfterAll = watchOutput(process.stdout, ({ message }) => {
    const words = `The output could not be written to stdout (${message}); make room, and run the same command again.`;
    process.stderr.write(errorLine(words));
    process.once('exit', () => {
      process.exitCode = exitAfterAll(Number(process.exitCode ?? exitCodes.ok));
    });
  });
}

/** Prints a failure unless it was printed already, and returns its exit code. */
function fail(error: unknown, process: NodeJS.Process): number {
  if (error instanceof CommanderError) {
    // Requested help and version output end here too, with 0; Commander has printed it.
    return error.exitCode === 0 ? exitCodes.ok : failureExitCodes.usage;
  }
  if (error instanceof CatalogError) {
    process.stderr.write(errorLine(error.message));
    return signalExitCodes[String(error.cause)] ?? failureExitCodes[error.code];
  }
  const limit = systemLimits.find(([words]) => words.test(codesOf(error)));
  if (limit !== undefined) {
    const [, code, message] = limit;
    process.stderr.write(errorLine(message));
    return failureExitCodes[code];
  }
  const words = error instanceof Error ? error.message : String(error);
  const stack = process.env['DEBUG'] && error instanceof Error ? `\n${error.stack}` : '';
  process.stderr.write(
    errorLine(`This is a bug: ${words}\nPlease report it with the command you typed; DEBUG=1 adds details.${stack}`),
  );
  return exitCodes.bug;
}

/** Limits of the system, by its codes and calls. The program's own files are many small ones. */
const systemLimits: readonly (readonly [words: RegExp, code: ErrorCode, message: string])[] = [
  [
    /\bmkdtemp\b/,
    'input_unreadable',
    'No folder for temporary files can be made here. Make room, or name another folder by the variable TMPDIR.',
  ],
  [
    /\bE[MN]FILE\b|too many open files/,
    'input_unreadable',
    'The limit of open files is too low. Raise it, for example with: ulimit -n 1024.',
  ],
  [
    /\b(?:EAGAIN|ENOMEM)\b/,
    'try_again',
    'No more processes or threads can be started. Try again, or raise the limit (ulimit -u) or the memory.',
  ],
];

/** The system's code of an error and the call that failed. Node reports some of them only in the message of an error of its own. */
function codesOf(error: unknown): string {
  const { code = '', message = '', syscall = '' } = error instanceof Error ? (error as NodeJS.ErrnoException) : {};
  return /^ERR_(?:WORKER_INIT_FAILED|INVALID_PACKAGE_CONFIG)$/.test(code) ? message : `${code} ${syscall}`;
}

/** Prints an error in the format of all commands, Commander's own included: `error: Product not found.` */
function errorLine(message: string): string {
  return `error: ${sanitizeLines(maskCredentials(message))}\n`;
}
