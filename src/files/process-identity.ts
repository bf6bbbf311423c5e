// Identifies a process so that another one can check whether it is still running. The process number alone is not
// enough: numbers are reused, and differ between containers.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

function orElse(read: () => string, fallback: string): string {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** The boot of the machine, and the name space of process numbers, where the system provides them. */
function machine(): string {
  const boot = orElse(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), hostname());
  const space = orElse(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, ''), '');
  return `${boot}.${space}`;
}

/** When a process was started, in ticks since boot; '' where the system does not provide it. */
function startOf(pid: number): string {
  return statOf(pid)[19] ?? '';
}

/** What the system says of a process, from its state on; nothing where it does not provide it. */
function statOf(pid: number): readonly string[] {
  // The name of the program, in brackets, may contain any characters.
  return (
    orElse(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '')
      .split(') ')
      .at(-1)
      ?.split(' ') ?? []
  );
}

let own: string | undefined;

/** That of this process. */
export function processIdentity(): string {
  own ??= `${machine()} ${process.pid} ${startOf(process.pid)}`;
  return own;
}

/** Whether a process is running; undefined if that cannot be determined here. One that nobody has waited for has ended. */
export function isRunning(mark: string): boolean | undefined {
  const [where, number, start] = mark.split(' ');
  const pid = Number(number);
  if (where !== machine() || !Number.isInteger(pid) || pid <= 0) return undefined;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const found = startOf(pid);
  if (start === '' || found === '') return undefined;
  return found === start && statOf(pid)[0] !== 'Z';
}
