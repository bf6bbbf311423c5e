// Loaded into a command that is timed (NODE_OPTIONS): writes at its exit what it used, exactly. Looked up from outside, the last
// hundredths of a second are missed.
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { peakMemory } from '../peak-memory.mjs';

/** Seconds of the thread that runs this; 0 where the system does not tell. */
function ofThisThread() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    const processor = (userCPUTime + systemCPUTime) / 1e6;
    writeFileSync(
      process.env.BENCH_USAGE,
      JSON.stringify({ processor, main: ofThisThread(), megabytes: peakMemory() / 1024 }),
    );
  });
}
