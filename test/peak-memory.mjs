import { readFileSync } from 'node:fs';

/**
 * The most memory that this process had, in KiB. On Linux it is asked for by another way than `process.resourceUsage`, whose
 * `maxRSS` begins with the peak of the process that started this one.
 */
export function peakMemory() {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {
    return process.resourceUsage().maxRSS;
  }
}
