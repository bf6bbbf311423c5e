// Marks a process so that another one can tell whether it is still there. A number alone does not: it is given again, and
// means another process in another container.
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

function orElse(read: () => string, fallback: string): string {
  try {
    return read();
  } catch {
    return fallback;
  }
}

/** The machine since its start, and the name space that process numbers are of, where the system tells them. */
function machine(): string {
  const boot = orElse(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(), hostname());
  const space = orElse(() => readlinkSync('/proc/self/ns/pid').replace(/\D/g, ''), '');
  return `${boot}.${space}`;
}

/** When a process was started, in ticks since the machine was; '' where the system does not tell. */
function startOf(pid: number): string {
  // The name of the program, in brackets, may hold anything.
  return orElse(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? '', '');
}

/** The mark of this process. */
export function processIdentity(): string {
  return `${machine()} ${process.pid} ${startOf(process.pid)}`;
}

/** Whether the process of a mark has surely ended; false also where that cannot be told from here. */
export function hasEnded(mark: string): boolean {
  const [where, number, start] = mark.split(' ');
  const pid = Number(number);
  if (where !== machine() || !Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  return startOf(pid) !== start;
}
