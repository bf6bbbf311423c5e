// The program for shells that type hundreds of commands: all that come one after the other are typed in one process, which
// stays (one-process.mjs). A server, and a command beside another one, is a process of its own.
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { execFileSync, startChild } from '../child.js';

const oneProcess = fileURLToPath(new URL('./one-process.mjs', import.meta.url));

/** Whether a process can be told here what another one was asked. */
export const canShareProcess = existsSync('/proc/self/environ');

/**
 * Writes a script that stands for the program, and starts the process that it asks; that one ends with the test file.
 * @param path of the script
 * @param program the program, for what is a process of its own
 */
export function writeSharedProgram(path: string, program: string): void {
  const [requests, answers, claim] = ['requests', 'answers', 'claim'].map((name) => `${path}.${name}`) as [
    string,
    string,
    string,
  ];
  execFileSync('mkfifo', [requests, answers]);
  const typist = startChild(process.execPath, [oneProcess, program, requests, answers]);
  writeFileSync(
    path,
    `#!/bin/bash
set -C
# While this shell asks or is answered, its first three are others.
exec 17<&0 18>&1 19>&2
if [ "$1" != serve ] && { : > '${claim}'; } 2> /dev/null; then
  # Open until the answer is read: what is written into a pipe that nobody has open is lost.
  exec 20<> '${answers}'
  echo $$ > '${requests}'
  until read -r -t 5 -u 20 code failure; do
    kill -0 ${typist.pid} || { echo "the process that types the commands has ended" >&2; exit 70; }
  done
  rm '${claim}'
  [ -z "$failure" ] || echo "$failure" >&2
  exit "$code"
fi
exec 17<&- 18>&- 19>&-
exec '${process.execPath}' '${program}' "$@"
`,
  );
  chmodSync(path, 0o755);
}
