// The crash harness: an import is killed again and again while its lines are read from a pipe. Every line that was
// read counts as acknowledged. After each kill the catalog is opened and compared with the reported lines.
import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { randomFrom } from '../random.js';
import { type Dump, dumpOf, faultsOf, recordName } from './dump.js';
import { type Ended, runHere, runProgram } from './program.js';
import { correction, kindOf, kinds, writeShopFolder } from './shop-folder.js';

/** A line of the report, as it came through the pipe. */
interface Told {
  readonly file: string;
  readonly index: number;
  readonly external_id: string;
  readonly action: string;
  readonly id: string | null;
}

/** What undisturbed imports come to: the folder, the record versions there may be, the state at the end. */
export interface Ground {
  readonly folder: string;
  readonly shop: string;
  readonly lines: readonly Told[];
  /** Before the correcting file, at the end, and when a second import has come to the correcting file. */
  readonly first: Dump;
  readonly last: Dump;
  readonly again: Dump;
}

/** How one crash is brought about. */
export interface Disturbance {
  /** Dies by itself at a point of the store: `before-commit:3`. */
  readonly failpoint?: string;
  /** Is killed once this many lines were read, and so many milliseconds later. */
  readonly kill?: { readonly lines: number; readonly delay: number };
  /** The safety that is taken out. */
  readonly tamper?: string | undefined;
}

function toldIn(ended: Ended): Told[] {
  return ended.lines.filter((line) => !line.startsWith('{"type":"')).map((line) => JSON.parse(line) as Told);
}

export function importArgs(shop: string, db: string): string[] {
  return ['run', shop, '--db', db, '--output', 'ndjson', '--report', 'all', '--quiet'];
}

/** Imports the folder undisturbed: without its correcting file, with it, and without it once more on top. */
export async function prepareGround(folder: string, items: number): Promise<Ground> {
  const shop = join(folder, 'shop');
  const uncorrected = join(folder, 'uncorrected');
  writeShopFolder(shop, items);
  writeShopFolder(uncorrected, items, false);
  const db = join(folder, 'undisturbed.db');
  const imported = async (source: string): Promise<{ readonly lines: readonly Told[]; readonly dump: Dump }> => {
    const ended = await runHere(importArgs(source, db));
    if (ended.code !== 3) throw new Error(`the undisturbed import ended with ${ended.code}: ${ended.stderr}`);
    return { lines: toldIn(ended), dump: dumpOf(db) };
  };
  const { dump: first } = await imported(uncorrected);
  rmSync(db);
  const { lines, dump: last } = await imported(shop);
  const { dump: again } = await imported(uncorrected);
  return { folder, shop, lines, first, last, again };
}

/** Imports once into `db` and lets it end as the disturbance says. */
export async function importDisturbed(ground: Ground, db: string, how: Disturbance): Promise<Ended> {
  const { kill, failpoint, tamper } = how;
  let armed = kill !== undefined;
  const maybeKill = (lines: number, child: ChildProcess): void => {
    if (!armed || kill === undefined || lines < kill.lines) return;
    armed = false;
    setTimeout(() => child.kill('SIGKILL'), kill.delay);
  };
  return runProgram(importArgs(ground.shop, db), {
    tamper,
    env: failpoint === undefined ? {} : { CATALOG_FAILPOINT: failpoint },
    onStart: (child) => maybeKill(0, child),
    onLines: maybeKill,
  });
}

function nameOf(told: Told): string {
  const { table = '' } = kinds[kindOf(told.file)] ?? {};
  return recordName(table, told.external_id);
}

/**
 * Compares the catalog after a crash with the reported lines.
 * @param known identifiers reported so far, by record; those of this import are added
 * @param fresh whether this was the first import into the file
 * @throws Error that names the first promise broken
 */
export function checkAfterCrash(
  ground: Ground,
  db: string,
  ended: Ended,
  known: Map<string, string>,
  fresh: boolean,
): void {
  const found = dumpOf(db);
  if (found.records.size > 0) {
    const faults = faultsOf(db);
    if (faults.length > 0) throw new Error(`integrity: ${faults.join('; ')}`);
  }
  for (const [name, record] of found.records) {
    if (![ground.first, ground.last, ground.again].some(({ records }) => records.get(name) === record))
      throw new Error(`half an item: ${name} is ${record}, whole it is ${ground.last.records.get(name)}`);
  }
  for (const told of toldIn(ended)) {
    if (told.action === 'refused') continue;
    const name = nameOf(told);
    known.set(name, told.id ?? '');
    if (told.file.endsWith(correction) && found.records.get(name) !== ground.last.records.get(name))
      throw new Error(`an acknowledged line is missing: the correction of ${name}`);
  }
  for (const [name, id] of known) {
    if (found.ids.get(name) !== id) throw new Error(`an acknowledged line is missing: ${name}, told as ${id}`);
  }
  checkBatches(ground, found, fresh);
}

/** The accepted items of a batch are all there or none is. */
function checkBatches(ground: Ground, found: Dump, fresh: boolean): void {
  const batches = new Map<string, { there: number; missing: number }>();
  for (const told of ground.lines) {
    if (told.action === 'refused') continue;
    const corrects = told.file.endsWith(correction);
    // A second import puts the first version back before it corrects: then versions mix within a batch.
    if (corrects && !fresh) continue;
    const { limit = 1 } = kinds[kindOf(told.file)] ?? {};
    const batch = `${told.file} batch ${Math.floor(told.index / limit)}`;
    const counts = batches.get(batch) ?? { there: 0, missing: 0 };
    batches.set(batch, counts);
    const name = nameOf(told);
    const record = found.records.get(name);
    const done = corrects ? record === ground.last.records.get(name) : record !== undefined;
    counts[done ? 'there' : 'missing']++;
  }
  for (const [batch, { there, missing }] of batches) {
    if (there > 0 && missing > 0) throw new Error(`half a batch: of ${batch} ${there} are there, ${missing} are not`);
  }
}

/** Runs the import to its end and compares the state with the undisturbed one. */
export async function checkResumed(ground: Ground, db: string, known: ReadonlyMap<string, string>): Promise<void> {
  // By the build that was killed: another one does not recognize the items that it applied.
  const ended = await runProgram(importArgs(ground.shop, db));
  if (ended.code !== 3) throw new Error(`running again ended with ${ended.code}: ${ended.stderr}`);
  const found = dumpOf(db);
  if (found.records.size !== ground.last.records.size)
    throw new Error(`running again came to ${found.records.size} records, not ${ground.last.records.size}`);
  for (const [name, record] of ground.last.records) {
    if (found.records.get(name) !== record) throw new Error(`running again made ${name} ${found.records.get(name)}`);
  }
  if (found.series !== ground.last.series) throw new Error('running again gave out other slugs');
  for (const [name, id] of known) {
    if (found.ids.get(name) !== id) throw new Error(`running again changed the identifier of ${name}`);
  }
}

/** Crashes of one catalog before it is imported to the end and a new one begun. */
const perCatalog = 8;

/** What came of many crashes. */
export interface Tally {
  crashes: number;
  /** Crashes that found some of the records there and some not. */
  inside: number;
  /** Lines acknowledged before a crash. */
  told: number;
}

/**
 * Crashes imports into one catalog after another until there were `count`, checking after each.
 * @param inside how many of them have to be inside the import: on a machine where too few are, there are up to ten times
 *   as many crashes
 */
export async function crashManyTimes(
  ground: Ground,
  count: number,
  next: () => Disturbance,
  inside = 0,
): Promise<Tally> {
  const tally: Tally = { crashes: 0, inside: 0, told: 0 };
  const db = join(ground.folder, `crashed-${Math.random().toString(36).slice(2)}.db`);
  const isOver = (): boolean =>
    tally.crashes >= count && (tally.inside >= inside || tally.crashes >= 10 * Math.max(count, inside));
  while (!isOver()) {
    const known = new Map<string, string>();
    for (let i = 0; i < perCatalog && !isOver(); i++) {
      const ended = await importDisturbed(ground, db, next());
      if (ended.signal !== 'SIGKILL') {
        if (ended.code !== 3) throw new Error(`the import ended with ${ended.code}: ${ended.stderr}`);
        continue;
      }
      const told = toldIn(ended).length;
      checkAfterCrash(ground, db, ended, known, i === 0);
      tally.crashes++;
      tally.told += told;
      if (told > 0 && told < ground.lines.length) tally.inside++;
    }
    await checkResumed(ground, db, known);
    for (const suffix of ['', '-wal', '-shm']) rmSync(db + suffix, { force: true });
  }
  return tally;
}

/** Two at a time, as there are two cores; each lane with chances of its own. More than a third is inside the import. */
export async function crashInTwoLanes(
  ground: Ground,
  count: number,
  seed: number,
  next: (random: () => number) => () => Disturbance,
): Promise<Tally> {
  const lanes = [seed, seed + 1].map((lane) =>
    crashManyTimes(ground, count / 2, next(randomFrom(lane)), Math.floor(count / 6) + 1),
  );
  const [one, two] = (await Promise.all(lanes)) as [Tally, Tally];
  return { crashes: one.crashes + two.crashes, inside: one.inside + two.inside, told: one.told + two.told };
}

/** Kills at any moment: while the import starts, or after any line and a few milliseconds. */
export function randomKill(ground: Ground, random: () => number): Disturbance {
  const starting = random() < 0.1;
  const lines = starting ? 0 : 1 + Math.floor(random() * ground.lines.length);
  return { kill: { lines, delay: random() * (starting ? 250 : 6) } };
}

/** The points of the store at which an import can be made to die. */
export const failpoints = ['while-saving', 'before-commit', 'after-commit', 'before-report'] as const;

/** Dies at one of the first passes of a point; a folder takes at least eight transactions. */
export function randomFailpoint(point: (typeof failpoints)[number], random: () => number): Disturbance {
  return { failpoint: `${point}:${1 + Math.floor(random() * 9)}` };
}
