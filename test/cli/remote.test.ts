// What is said of a remote while an import goes on.
import { describe, expect, it } from 'vitest';
import { describeTraffic, describeWait, waitNotices } from '../../src/cli/remote.js';
import { noCounts } from '../../src/core/report-counts.js';
import { describeProgress } from '../../src/reporting/progress.js';

const words = (inFlight: number, retries: number, wait?: number): string =>
  describeTraffic({
    traffic: () => ({
      inFlight,
      retries,
      waiting:
        wait === undefined ? undefined : { until: performance.now() + wait, why: 'answered 429 (slow\u001b[31m down)' },
    }),
  }).join(', ');

describe('progress of a remote import', () => {
  it('shows batches in flight, retries, and waits with their reason', () => {
    expect(words(0, 0)).toBe('');
    expect(words(1, 0)).toBe('1 batch on its way');
    expect(words(3, 1)).toBe('3 batches on their way, 1 sent again');
    expect(words(2, 1200, 11_500)).toMatch(/^2 batches on their way, 1,200 sent again, waiting 12 s, since the remote/);
  });

  it('a wait of any length is shown as a duration, and texts of the remote are sanitized', () => {
    expect(describeWait(-5, 'x')).toBe('waiting 1 s, since the remote x');
    expect(words(0, 0, 1000)).not.toContain('\u001b');
  });

  it('long waits have a line each where there is no terminal; batches that wait together have one', () => {
    const said: string[] = [];
    const tell = waitNotices((line) => said.push(line));
    for (const [milliseconds, why] of [
      [500, 'a'],
      [10_000, 'b'],
      [10_500, 'c'],
      [30_000, 'd'],
    ] as const)
      tell(milliseconds, why);
    expect(said).toEqual(['waiting 10 s, since the remote b', 'waiting 30 s, since the remote d']);
  });

  it('follows the counts', () => {
    const watched = { file: 'a.csv', counts: noCounts(), progress: () => ({ read: 1, size: undefined }) };
    expect(describeProgress({ ...watched, more: () => ['4 batches on their way'] }, 1)).toBe(
      'a.csv: 0 items, 0 a second, 0 refused, 4 batches on their way',
    );
  });
});
