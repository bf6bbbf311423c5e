// Memory limits of an import's main thread. Its live data is 20 MB for any size of file, but V8 lets garbage grow to
// several times that. V8 has two generations of objects, and each gets a limit; both are flags that V8 reads again
// whenever it decides about a collection. The reading thread has a limit of its own (source/worker/start-thread.ts).
// Old generation: V8 collects it only when it is four times its live data. Peak resident memory of 200,000 and of
// 2,000,000 new products: with 100 % growth 173 and 192 MiB, with 70 % 168 and 185, for 2 % more time or none; with 50
// % 5 % more time. V8's default needs 20 MB more than 100 %. From Node 24 on, 50 % takes no more time than 70 %.
// Young generation: it doubles while more data survives in it than before, up to two halves of 16 MB each, from Node 24
// on of 32 or 64 MB, without saving time. With the limit below an import of 200,000 products needs 15 to 20 MB less on
// Node 20 and 22 (148 instead of 168 MiB from CSV, 148 to 163 instead of 163 to 179 from a JSON array).
// From Node 24 on the program and its libraries need 15 MB more. Measured there by turns, seconds of the main thread's
// processor and highest peak of five imports of 200,000 products: half of the limit with 70 % growth 3.1 s and 161 MiB; the
// whole limit with 70 % 2.95 s and 180 MiB, with 50 % the same and 168 MiB. With twice the limit 190 to 202 MiB.
import { subscribe } from 'node:diagnostics_channel';
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { stepChannel } from '../../core/timed-step.js';

/** Total bytes of both halves at which the young generation stops growing: it has up to twice as many then. */
const youngEnough = 8 * 2 ** 20;

/** Percent by which the old generation may grow between two collections. */
const oldGrowth = Number.parseInt(process.versions.node, 10) >= 24 ? 50 : 70;

/** Limits the heap of this process. */
export function limitHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${oldGrowth}`);
  keepYoungGenerationSmall();
}

/**
 * Checks after each collection whether the young generation may still double. V8 shrinks it while an import waits, and
 * it has to grow again afterwards. The flag for its maximum size is read only at the start of the process. Observers are
 * called by the event loop, thus late while a transaction of thousands of items runs, when it may have doubled several
 * times: one of 40 imports on Node 24 needed 203 MiB instead of 168. So each step of a transaction checks it, too.
 */
function keepYoungGenerationSmall(): void {
  let factor = 2;
  function check(): void {
    const size = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
    const wanted = size > youngEnough ? 1 : 2;
    if (wanted === factor) return;
    factor = wanted;
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  }
  new PerformanceObserver(check).observe({ entryTypes: ['gc'] });
  subscribe(stepChannel, check);
}
