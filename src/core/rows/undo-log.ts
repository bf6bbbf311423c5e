// The undo log of a draft since its mark: three entries a step (map or list, key, former value or undefined) instead of
// a closure, since this runs several times for every item. The list is reused after each mark: a new one for each batch
// would be a twentieth of an import's allocations.

/** The steps since the mark; entries from `length` on belong to earlier batches. */
export interface UndoLog {
  readonly steps: unknown[];
  length: number;
}

/** Records the former value of a map or list under a key. */
export function remember<K, V>(log: UndoLog, where: Map<K, V> | V[], key: K, before: V | undefined): void {
  log.steps[log.length++] = where;
  log.steps[log.length++] = key;
  log.steps[log.length++] = before;
}

export function setEntry<K, V>(log: UndoLog, map: Map<K, V>, key: K, value: V): void {
  remember(log, map, key, map.get(key));
  map.set(key, value);
}

export function deleteEntry<K, V>(log: UndoLog, map: Map<K, V>, key: K): void {
  remember(log, map, key, map.get(key));
  map.delete(key);
}

/** Undoes every step, the last one first. */
export function undoAll(log: UndoLog): void {
  const { steps } = log;
  for (let i = log.length - 3; i >= 0; i -= 3) {
    const where = steps[i] as Map<unknown, unknown> | unknown[];
    if (Array.isArray(where)) where[steps[i + 1] as number] = steps[i + 2];
    else if (steps[i + 2] === undefined) where.delete(steps[i + 1]);
    else where.set(steps[i + 1], steps[i + 2]);
  }
  log.length = 0;
}
