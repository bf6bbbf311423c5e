// Several batches under way at once, told in the order they came. Two that touch the same record keep their order.

/** What is to be done with one batch. */
export interface Lane<T> {
  readonly keys: ReadonlySet<string>;
  /** Does it; undefined where it was stopped, and with it everything after it. */
  run(): Promise<T | undefined>;
}

export interface LaneLimits {
  /** Lanes under way at once. */
  readonly most: number;
  /** Called with the first failure: the other lanes need not try for long any more. */
  readonly onFailure: () => void;
}

type Settled<T> = { readonly value: T | undefined } | { readonly cause: unknown };

/** Results that may wait for an earlier one, for each lane: what is ahead of a slow batch is bounded. */
const aheadPerLane = 4;

/**
 * Runs a lane for each batch and yields what they come to, in the order of the batches. After a failure nothing new
 * begins; what is under way is finished, then the first failure is thrown.
 * @param open looks at a batch and says what is to be done
 */
export async function* inOrder<B, T>(
  batches: AsyncIterable<B> | Iterable<B>,
  open: (batch: B, index: number) => Lane<T>,
  { most, onFailure }: LaneLimits,
): AsyncGenerator<T> {
  const results: Promise<Settled<T>>[] = [];
  const running = new Map<Promise<Settled<T>>, ReadonlySet<string>>();
  const bell = newBell();
  let failure: { readonly cause: unknown } | undefined;
  let ended = false;

  function start(lane: Lane<T>): void {
    const result: Promise<Settled<T>> = lane
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
        bell.ring();
      });
    running.set(result, lane.keys);
    results.push(result);
    bell.ring();
  }

  function mustWait({ keys }: Lane<T>): boolean {
    if (running.size >= most || results.length >= most * aheadPerLane) return true;
    for (const busy of running.values()) for (const key of keys) if (busy.has(key)) return true;
    return false;
  }

  async function pump(): Promise<void> {
    let index = 0;
    for await (const batch of batches) {
      if (ended) return;
      const lane = open(batch, index++);
      while (!ended && failure === undefined && mustWait(lane)) await bell.next();
      if (ended || failure !== undefined) return;
      start(lane);
    }
  }

  pump()
    .catch((cause: unknown) => {
      failure ??= { cause };
    })
    .finally(() => {
      ended = true;
      bell.ring();
    });
  try {
    for (;;) {
      while (results.length === 0 && !ended && failure === undefined) await bell.next();
      const settled = await results[0];
      if (settled === undefined || 'cause' in settled) break;
      if (settled.value === undefined) return;
      results.shift();
      bell.ring();
      yield settled.value;
    }
  } finally {
    ended = true;
    bell.ring();
    await Promise.all(running.keys());
  }
  if (failure !== undefined) throw failure.cause;
}

/** Something to wait for that happens again and again. */
function newBell(): { ring(): void; next(): Promise<void> } {
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
