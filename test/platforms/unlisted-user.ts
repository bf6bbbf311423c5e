// Commands typed by a user that the system does not list, as `docker run --user 54321` has. Only root may start a process as
// another user: others type as themselves.
import { type Ended, outcome, startChild } from '../child.js';
import { program } from '../cli/started.js';

const uid = 54_321;
const isRoot = process.getuid?.() === 0;

/** Runs a command to its end, with nothing of this process's environment. */
export function typedByUnlisted(cwd: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
  const { PATH } = process.env;
  const own = { cwd, env: { PATH, ...env }, ...(isRoot && { uid, gid: uid }) };
  const child = startChild(process.execPath, [program, ...args], own);
  child.stdin?.end();
  return outcome(child);
}
