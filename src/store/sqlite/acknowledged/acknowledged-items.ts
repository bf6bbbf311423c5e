// What a remote acknowledged, kept in a SQLite file of this machine: per key the digest of the item that was accepted last.
//
// A file is shared by all imports of one resource into one remote, whatever feed they are of and at whatever time: what one
// sends is no longer known to the others. A kill leaves items under way, which are not known and so are sent again.
//
//   state 0  `item` was acknowledged last (of none: nothing is known), by `run`
//   state 1  an item is under way, sent by `run`
//   state 2  items of several runs are under way: which of them the remote keeps is not known
import { hash } from 'node:crypto';
import type { AcknowledgedItems, ItemDigest } from '../../../core/acknowledged-items.js';
import {
  type AcknowledgedDatabase,
  isDamage,
  openAcknowledgedFile,
  renewAcknowledgedFile,
  unusableFile,
} from './acknowledged-file.js';

export interface AcknowledgedItemsOptions {
  /** The file, which is made with its folder where it is missing. */
  readonly file: string;
  /** How items come to be: feed, options, mapping. An item is known only where all of that is the same. */
  readonly binding: string;
  /** Names the run; one that goes on with an earlier one has its name, and decides as that one did. */
  readonly run: string;
  /** Whether known items are withheld; otherwise all are sent, and what is known is renewed. */
  readonly withholds: boolean;
  /** Nothing is kept, and no file is made. */
  readonly dryRun: boolean;
  /** The time in Unix seconds. */
  readonly now: () => number;
}

/** Acknowledged items in a file. */
export interface AcknowledgedItemsFile extends AcknowledgedItems {
  /** How many items were found to be known. */
  known(): number;
  /** How many had to be sent since something else was sent for their records last, and since their last request had no good end. */
  notWithheld(): NotWithheld;
  /** Whether the file was damaged, so that everything is sent. */
  wasDamaged(): boolean;
  /** Whether the remote turned out to lack what it acknowledged. */
  wasForgotten(): boolean;
  close(): void;
}

/** Items that could not be withheld, although nothing of them may have changed. */
interface NotWithheld {
  /** Another feed, file, mapping or set of options sent the same records last. */
  readonly shared: number;
  /** They were refused the last time, or their request was cut off. */
  readonly unsettled: number;
}

/** Seconds after which an item under way is given up: no request lasts longer. */
const underWayFor = 6 * 60 * 60;
/** Seconds after which a row is marked as seen once more, and after which one that was not seen is removed. */
const seenAgainAfter = 7 * 24 * 60 * 60;
const keptFor = 90 * 24 * 60 * 60;
/** Rows whose mark is written in one transaction. */
const marksAtOnce = 1_000;

type AcknowledgedRow = readonly [item: Buffer | null, run: number, state: number, seen: number, source: number];

/** An open file, and what was found out. */
interface AcknowledgedState {
  readonly options: AcknowledgedItemsOptions;
  readonly run: number;
  /** Stands for the binding. */
  readonly source: number;
  opened: AcknowledgedDatabase;
  /** How many batches of this process have an item of a key under way. */
  readonly underWay: Map<string, number>;
  /** Keys whose rows are to be marked as seen. */
  readonly marks: Uint8Array[];
  known: number;
  shared: number;
  unsettled: number;
  forgotten: boolean;
}

/**
 * Opens what was acknowledged. A file that is damaged, or none of this program, is begun anew.
 * @throws CatalogError `catalog_unusable` if it cannot be made, read or written
 */
export function openAcknowledgedItems(options: AcknowledgedItemsOptions): AcknowledgedItemsFile {
  const state: AcknowledgedState = {
    options,
    ...{ run: numberOf(options.run), source: numberOf(options.binding) },
    opened: openAcknowledgedFile(options),
    underWay: new Map(),
    marks: [],
    ...{ known: 0, shared: 0, unsettled: 0, forgotten: false },
  };
  return {
    digest: (key, text) => ({ key: digestOf(key), item: digestOf(`${options.binding}\0${text}`) }),
    isKnown: (digest) => guarded(state, () => isKnown(digest, state), false),
    begin: (digests) => guarded(state, () => beginItems(digests, state), []),
    acknowledge: (digests, accepted) => guarded(state, () => acknowledge(digests, accepted, state), undefined),
    forgetAll: () => guarded(state, () => forgetAll(state), undefined),
    known: () => state.known,
    notWithheld: () => ({ shared: state.shared, unsettled: state.unsettled }),
    wasDamaged: () => state.opened.damaged,
    wasForgotten: () => state.forgotten,
    close: () => close(state),
  };
}

/**
 * 128 bits of SHA-256. A digest that agrees by chance would withhold a change without a word. With 64 bits that is one in
 * 10^13 for a night of a million items by chance, but texts come from suppliers, and two that agree in 64 bits can be
 * searched for in hours; in 128 bits of a cryptographic hash they cannot.
 */
function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, 16);
}

/** 48 bits of a text. */
function numberOf(text: string): number {
  return Number.parseInt(hash('sha256', text).slice(0, 12), 16);
}

function isKnown({ key, item }: ItemDigest, memory: AcknowledgedState): boolean {
  const { run, options, marks } = memory;
  const { statements } = memory.opened;
  if (!options.withholds) return false;
  const row = statements.find.get(key) as AcknowledgedRow | undefined;
  if (row === undefined) return false;
  const [kept, by, state, seen, source] = row;
  // What this run sent itself is sent again: another run of it, gone on with, decides the same.
  if (by === run) return false;
  if (source !== memory.source) memory.shared++;
  else if (state !== 0 || kept === null) memory.unsettled++;
  if (state !== 0 || kept === null || !kept.equals(item)) return false;
  if (options.dryRun && statements.isBegun.get(key) !== undefined) return false;
  memory.known++;
  if (!options.dryRun && seen < options.now() - seenAgainAfter) {
    marks.push(key);
    if (marks.length >= marksAtOnce) writeMarks(memory);
  }
  return true;
}

function beginItems(digests: readonly ItemDigest[], memory: AcknowledgedState): boolean[] {
  const { run, options, underWay } = memory;
  const { statements } = memory.opened;
  const areKnown = (): boolean[] =>
    digests.map(({ key }) => {
      const row = statements.find.get(key) as readonly [Buffer | null] | undefined;
      return row !== undefined && row[0] !== null;
    });
  if (options.dryRun) {
    const known = areKnown();
    for (const { key } of digests) statements.markBegun.run(key);
    return known;
  }
  const now = options.now();
  let known: boolean[] = [];
  const beginAll = (mustLast: boolean): boolean =>
    inTransaction(memory, mustLast, () => {
      known = areKnown();
      if (known.includes(true) && !mustLast) return false;
      for (const { key } of digests)
        statements.begin.run({ key, run, source: memory.source, now, old: now - underWayFor });
      return true;
    });
  // Only forgetting has to survive a power cut: of a key without an item nothing is known anyway.
  if (!beginAll(false)) beginAll(true);
  for (const { key } of digests) underWay.set(wordOf(key), (underWay.get(wordOf(key)) ?? 0) + 1);
  return known;
}

function acknowledge(digests: readonly ItemDigest[], accepted: readonly boolean[], memory: AcknowledgedState): void {
  const { run, options, underWay } = memory;
  const { statements } = memory.opened;
  if (options.dryRun) return;
  inTransaction(memory, false, () => {
    digests.forEach(({ key, item }, i) => {
      const others = (underWay.get(wordOf(key)) ?? 1) - 1;
      if (others > 0) underWay.set(wordOf(key), others);
      else underWay.delete(wordOf(key));
      // With another item of the key under way it is not known which of them is the last.
      if (others === 0) statements.acknowledge.run({ key, run, item: accepted[i] === true ? item : null });
    });
  });
}

function forgetAll(memory: AcknowledgedState): void {
  const { dryRun, withholds } = memory.options;
  memory.forgotten = withholds;
  if (!dryRun && withholds) inTransaction(memory, true, () => memory.opened.statements.forgetAll.run());
}

function writeMarks(memory: AcknowledgedState): void {
  const now = memory.options.now();
  const marks = memory.marks.splice(0);
  inTransaction(memory, false, () => {
    for (const key of marks) memory.opened.statements.mark.run(now, key);
  });
}

/** Runs `work` as one transaction. @param mustLast whether it has to be on the disk once this returns */
function inTransaction<T>({ opened: { database } }: AcknowledgedState, mustLast: boolean, work: () => T): T {
  database.pragma(`synchronous = ${mustLast ? 'FULL' : 'NORMAL'}`, { simple: true });
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } finally {
    if (database.inTransaction) database.exec('ROLLBACK');
  }
}

function close(memory: AcknowledgedState): void {
  const { dryRun, now } = memory.options;
  const tidy = (): void => {
    if (memory.marks.length > 0) writeMarks(memory);
    memory.opened.statements.removeOld.run(now() - keptFor);
  };
  try {
    if (!dryRun) guarded(memory, tidy, undefined);
  } finally {
    memory.opened.database.close();
  }
}

/** Bytes as a key of a map. */
function wordOf(key: Uint8Array): string {
  return Buffer.from(key).toString('latin1');
}

/** Does something with the file. Where it turns out to be damaged, nothing of it counts, and a new one takes its place. */
function guarded<T>(memory: AcknowledgedState, work: () => T, otherwise: T): T {
  try {
    return work();
  } catch (error) {
    const { options, opened } = memory;
    if (!isDamage(error)) throw unusableFile(options.file, error);
    opened.database.close();
    memory.opened = renewAcknowledgedFile(options);
    memory.marks.length = 0;
    return otherwise;
  }
}
