// Starts the log of --verbose once the command line is parsed.
import type { Command } from 'commander';

/**
 * Logs the steps of a command if requested.
 * @returns ends the log; to be called when the command is over, however it ended
 */
export function logWhenVerbose(program: Command, process: NodeJS.Process): () => void {
  let end: () => void = () => undefined;
  program.hook('preAction', async (_, command) => {
    if (command.optsWithGlobals()['verbose'] !== true) return;
    const { startLog } = await import('./verbose-log.js');
    end = startLog(command, process);
  });
  return () => end();
}
