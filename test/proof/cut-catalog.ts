// Imports and servers under strace, and pictures of their catalog after a power cut at any moment, held against what they
// had reported by then.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { randomFrom } from '../random.js';
import { faultsOf, openRaw } from './dump.js';
import { type Moment, newDisk } from './power-cut.js';

/** What was seen. */
export interface Cuts {
  pictures: number;
  readonly broken: string[];
}

/** Reported lines, in any output format. */
const line = /"external_id":"[^"]*","action":"(created|updated|unchanged)","id":"([a-z]+_[0-9a-z]+)"/g;

/** Tables by the prefix of their identifiers. */
const tables: Readonly<Record<string, string>> = {
  attr: 'characteristic',
  cate: 'category',
  prgr: 'product_group',
  prod: 'product',
  prvw: 'review',
};

function missingIn(file: string, told: string): string[] {
  const ids = new Set([...told.matchAll(line)].map(([, , id = '']) => id));
  if (ids.size === 0) return [];
  if (!existsSync(file)) return ['there is no catalog'];
  const database = openRaw(file);
  try {
    return Object.entries(tables).flatMap(([prefix, table]) => {
      const reported = [...ids].filter((id) => id.startsWith(prefix));
      if (reported.length === 0) return [];
      const find = database.prepare(`SELECT 1 FROM ${table} WHERE id = ?`);
      return reported.filter((id) => find.get(id) === undefined);
    });
  } finally {
    database.close();
  }
}

/**
 * Plays traces back on a disk that has a catalog, or none yet, and checks pictures of it.
 * @param share of the moments that are pictured: each takes as long as reading the catalog
 * @param isControl something must be missing: the first picture that lacks it is enough
 * @param more checks a picture further; throws where something is wrong
 */
export function cutCatalog(
  folder: string,
  db: string,
  {
    seed,
    share = 1,
    isControl = false,
    more = () => undefined,
  }: {
    readonly seed: number;
    readonly share?: number;
    readonly isControl?: boolean;
    readonly more?: (picture: string, told: string) => void;
  },
): { readonly play: (trace: string) => void; readonly cuts: Cuts } {
  const random = randomFrom(seed);
  const cuts: Cuts = { pictures: 0, broken: [] };
  const check = (image: ReadonlyMap<string, Buffer>, told: string): void => {
    const place = join(folder, `${basename(db)}-picture`);
    rmSync(place, { recursive: true, force: true });
    mkdirSync(place);
    for (const [path, bytes] of image) writeFileSync(join(place, basename(path)), bytes);
    const picture = join(place, basename(db));
    cuts.pictures++;
    try {
      for (const id of missingIn(picture, told)) cuts.broken.push(`missing: ${id}`);
      if (hasTables(picture)) cuts.broken.push(...faultsOf(picture));
      more(picture, told);
    } catch (error) {
      cuts.broken.push(String(error));
    }
  };
  // Moments that are evenly apart, from one that chance names: any share of them is looked at in every run.
  let due = random();
  const look = ({ image, told }: Moment): void => {
    due += share;
    if (due < 1 || (isControl && cuts.broken.length > 0)) return;
    due -= 1;
    // A control looks where most is missing: nothing that was not synced is kept.
    for (const kept of isControl ? [0] : [0, 0.5, 0.9])
      check(
        image(() => random() < kept),
        told,
      );
  };
  const ours = ['', '-wal', '-journal'].map((suffix) => db + suffix);
  const disk = newDisk(
    (path) => ours.includes(path),
    ours.filter((path) => existsSync(path)),
    look,
  );
  return { play: (trace) => disk.play(readFileSync(trace, 'utf8')), cuts };
}

function hasTables(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = openRaw(file);
  try {
    return database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'late_index'`).get() !== undefined;
  } finally {
    database.close();
  }
}
