// Runs several batches concurrently and yields their results in order. Batches with a key in common run one after the
// other.

/** The work on one batch. */
export interface OrderedTask<T> {
  readonly keys: ReadonlySet<string>;
  /** Runs the task; undefined if it was stopped, and with it everything after it. */
  run(): Promise<T | undefined>;
}

export interface OrderedLimits {
  /** Concurrent lanes. */
  readonly most: number;
  /** Called on the first failure, so that the others can stop retrying. */
  readonly onFailure: () => void;
}

type Settled<T> = { readonly value: T | undefined } | { readonly cause: unknown };

/** Finished results per slot that may wait for an earlier one: bounds memory while a batch is slow. */
const aheadPerLane = 4;

/**
 * Runs a task for each batch and yields the results in the order of the batches. After a failure no further task is
 * started; running ones are finished, then the first failure is thrown.
 * @param open returns the task of a batch
 */
export async function* runOrdered<B, T>(
  batches: AsyncIterable<B> | Iterable<B>,
  open: (batch: B, index: number) => OrderedTask<T>,
  { most, onFailure }: OrderedLimits,
): AsyncGenerator<T> {
  const results: Promise<Settled<T>>[] = [];
  const running = new Map<Promise<Settled<T>>, ReadonlySet<string>>();
  const signal = newSignal();
  let failure: { readonly cause: unknown } | undefined;
  let ended = false;

  function start(task: OrderedTask<T>): void {
    const result: Promise<Settled<T>> = task
      .run()
      .then(
        (value) => ({ value }),
        (cause: unknown) => {
          failure ??= { cause };
          onFailure();
          return { cause };
        },
      )
      .finally(() => {
        running.delete(result);
        signal.ring();
      });
    running.set(result, task.keys);
    results.push(result);
    signal.ring();
  }

  function mustWait({ keys }: OrderedTask<T>): boolean {
    if (running.size >= most || results.length >= most * aheadPerLane) return true;
    for (const busy of running.values()) for (const key of keys) if (busy.has(key)) return true;
    return false;
  }

  async function pump(): Promise<void> {
    let index = 0;
    for await (const batch of batches) {
      if (ended) return;
      const task = open(batch, index++);
      while (!ended && failure === undefined && mustWait(task)) await signal.next();
      if (ended || failure !== undefined) return;
      start(task);
    }
  }

  pump()
    .catch((cause: unknown) => {
      failure ??= { cause };
    })
    .finally(() => {
      ended = true;
      signal.ring();
    });
  try {
    for (;;) {
      while (results.length === 0 && !ended && failure === undefined) await signal.next();
      const settled = await results[0];
      if (settled === undefined || 'cause' in settled) break;
      if (settled.value === undefined) return;
      results.shift();
      signal.ring();
      yield settled.value;
    }
  } finally {
    ended = true;
    signal.ring();
    await Promise.all(running.keys());
  }
  if (failure !== undefined) throw failure.cause;
}

/** An event that can be awaited repeatedly. */
function newSignal(): { ring(): void; next(): Promise<void> } {
  let wake: () => void = () => undefined;
  let next = new Promise<void>((resolve) => {
    wake = resolve;
  });
  return {
    ring() {
      wake();
      next = new Promise<void>((resolve) => {
        wake = resolve;
      });
    },
    next: () => next,
  };
}
