// What belongs on stdout may be lost, as on a full disk: then the command fails.
import { exitCodes, failureExitCodes } from './exit-codes.js';

/** What writing ends with after the reader has left (`| head`), which is no loss: EOF on Windows. */
const readerLeft: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EOF']);

/**
 * Watches whether what is written to stdout is lost from now on.
 * @param lost called at the first loss
 * @returns the exit code of a command that would have ended with the given one
 */
export function watchOutput(
  stdout: Pick<NodeJS.WriteStream, 'on'>,
  lost: (error: Error) => void = () => undefined,
): (exit: number) => number {
  let isLost = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (readerLeft.has(error.code) || isLost) return;
    isLost = true;
    lost(error);
  });
  return (exit) => (isLost && (exit === exitCodes.ok || exit === exitCodes.refused) ? failureExitCodes.usage : exit);
}
