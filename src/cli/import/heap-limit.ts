// Memory limits of an import's main thread. What it keeps alive is 20 MB whatever the size of the file, but V8 lets
// garbage take several times as much. There are two limits, as V8 has two generations of objects; both are flags that V8
// reads again whenever it decides. The reading thread has a limit of its own (source/worker/start-thread.ts).
//
// Old generation: V8 collects it only once it is four times what was alive. Peak resident memory of 200,000 and of
// 2,000,000 new products: at 100 % growth 173 and 192 MiB, at 70 % 168 and 185, for 2 % more time or none; at 50 % 5 % more
// time. As V8 does it, 20 MB more than at 100 %.
//
// Young generation: it doubles while more survives in it than before, up to two halves of 16 MB each, from Node 24 on of 32 or
// 64 MB, for no time saved: at the limit below an import of 200,000 products takes 15 to 20 MB less on Node 20 and 22 (148
// in place of 168 MiB from CSV, 148 to 163 in place of 163 to 179 from a JSON array), and on Node 24 163 to 183 in place of
// 193 to 258. With 16 MiB in place of 8, one of 42 imports on Node 24 took 202 MiB.
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Bytes of both halves together from which the young generation stops growing. */
const youngEnough = 8 * 2 ** 20;

/** Limits the heap of this process. */
export function limitHeap(): void {
  setFlagsFromString('--heap-growing-percent=70');
  keepYoungGenerationSmall();
}

/**
 * Looks after each collection whether the young generation may still double. V8 shrinks it while an import waits, and it
 * has to grow again then. A flag for its greatest size exists, but is read at the start of the process only.
 */
function keepYoungGenerationSmall(): void {
  let factor = 2;
  new PerformanceObserver(() => {
    const size = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0;
    const wanted = size > youngEnough ? 1 : 2;
    if (wanted === factor) return;
    factor = wanted;
    setFlagsFromString(`--semi-space-growth-factor=${factor}`);
  }).observe({ entryTypes: ['gc'] });
}
