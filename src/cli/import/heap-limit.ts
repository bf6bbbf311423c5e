// Memory limits of an import's main thread. Its live data is 20 MB for any size of file, but V8 lets garbage grow to
// several times that. V8 has two generations of objects, and each gets a limit; both are flags that V8 reads again
// whenever it decides about a collection. The reading thread has a limit of its own (source/worker/start-thread.ts).
// Old generation: V8 collects it only when it is four times its live data. Peak resident memory of 200,000 and of
// 2,000,000 new products: with 100 % growth 173 and 192 MiB, with 70 % 168 and 185, for 2 % more time or none; with 50
// % 5 % more time. V8's default needs 20 MB more than 100 %. From Node 24 on, 50 % needs 4 MB less than 70 % in the
// same time.
// Young generation: V8 doubles it while more data survives in it than before, up to two halves of 16 MB each, from Node
// 24 on of 32 or 64 MB, without saving time: halves of 8, 12 and 16 MB take as long, halves of 4 MB longer. Its maximum
// size is read only at the start of the process. So growth is off (a factor of 1), and this module makes it grow in one
// step to the size that is wanted.
// V8 decides in a collection, several of which may happen before the event loop calls anybody. When the factor was set to
// 1 only after it had grown enough, it could double once or twice more until then: one of three imports of 2,000,000
// products on Node 22 needed 205 MiB instead of 170. From Node 26 on the size that V8 reports only counts memory that was
// used, so that capacity is what tells.
// Four threads of V8 share the work of a collection of young objects, whatever the machine has, and the collected thread waits
// for the last of them. Where main and reading thread keep both of two cores busy, it waits for one that does not get a core: for
// 5 ms instead of half a one. So each thread collects its own there.
import { availableParallelism } from 'node:os';
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The wanted capacity of the young generation in bytes: one of its two halves. */
const wanted = 8 * 2 ** 20;

/** Percent by which the old generation may grow between two collections. */
const oldGrowth = Number.parseInt(process.versions.node, 10) >= 24 ? 50 : 70;

/** Collections after which growing pays: it takes some milliseconds, and a small import ends before. */
const worthGrowing = 20;

/** Objects that are allocated to make it grow, 64 bytes each: V8 wants more to survive than fits, twice. */
const perStep = 1000;
const mostSteps = 200;

/** The most cores that main and reading thread keep busy. */
const fewCores = 2;

export function limitHeap(): void {
  if (availableParallelism() <= fewCores) setFlagsFromString('--no-parallel-scavenge');
  limitOldGeneration();
  allowGrowth(1);
  growWhenCollected();
}

/** The limit of the old generation alone, for all threads of the process. */
export function limitOldGeneration(): void {
  setFlagsFromString(`--heap-growing-percent=${oldGrowth}`);
}

/**
 * Makes the young generation grow after the first collections, and again where V8 has shrunk it, which it does while an
 * import waits.
 */
function growWhenCollected(): void {
  let collections = 0;
  const observer = new PerformanceObserver((list) => {
    collections += list.getEntries().length;
    if (collections < worthGrowing) return;
    collections = 0;
    if (!growYoungGeneration(wanted)) observer.disconnect();
  });
  observer.observe({ entryTypes: ['gc'] });
}

/**
 * Makes the young generation grow to a capacity in one step, by objects that survive collections. Nothing else runs
 * meanwhile, so that V8 cannot let it grow further.
 * @returns whether it has that capacity
 */
function growYoungGeneration(capacity: number): boolean {
  const before = youngCapacity();
  // Capacities lack some hundredths of their round number.
  const factor = Math.floor((1.1 * capacity) / before);
  if (factor < 2) return true;
  allowGrowth(factor);
  const hasGrown = (): boolean => youngCapacity() > 1.5 * before;
  const survivors: object[] = [];
  for (let step = 0; step < mostSteps && !hasGrown(); step++)
    for (let i = 0; i < perStep; i++) survivors.push({ step, i });
  allowGrowth(1);
  return hasGrown();
}

/** The bytes that fit into one half of the young generation. */
function youngCapacity(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
  return space === undefined ? 0 : space.space_used_size + space.space_available_size;
}

function allowGrowth(factor: number): void {
  setFlagsFromString(`--semi-space-growth-factor=${factor}`);
}
