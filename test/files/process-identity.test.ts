import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { isRunning, processIdentity } from '../../src/files/process-identity.js';
import { lineOf, outcome, startChild } from '../child.js';

const [machine, , ownStart] = processIdentity().split(' ');
const startOf = (pid: number) => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[19];

it.runIf(process.platform === 'linux')(
  'a process runs until it ends; one that nobody has waited for has ended',
  async () => {
    // The shell becomes `sleep`, which waits for no child.
    const parent = startChild('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60']);
    const child = Number((await lineOf(parent, /^(\d+)$/m))[1]);
    const marks = [parent.pid as number, child].map((pid) => `${machine} ${pid} ${startOf(pid)}`);
    await expect.poll(() => marks.map(isRunning)).toEqual([true, false]);
    parent.kill('SIGKILL');
    await outcome(parent);
    await expect.poll(() => marks.map(isRunning)).toEqual([false, false]);
  },
);

it.runIf(process.platform === 'linux')(
  'another process of the same number, another machine and no mark are told apart',
  () => {
    expect(isRunning(processIdentity())).toBe(true);
    expect(isRunning(`${machine} ${process.pid} 1`)).toBe(false);
    expect(isRunning(`${machine} ${process.pid} `)).toBe(undefined);
    expect(isRunning(`elsewhere ${process.pid} ${ownStart}`)).toBe(undefined);
    expect(isRunning('another host')).toBe(undefined);
  },
);
