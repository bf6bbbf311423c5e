// Recognizes files for which the project has a ready mapping, by their beginning.
import known from './ready-maps.json' with { type: 'json' };

/** A ready mapping in the folder `fixtures/maps` of the project. */
export interface ReadyMap {
  readonly map: string;
  /** What the file is. */
  readonly name: string;
  /** A regular expression for the beginning of the file. */
  readonly head: string;
  /** The encoding that the format prescribes. */
  readonly encoding?: string;
  /** Whether the file is read as a table or document, so that columns can be suggested. */
  readonly isTable: boolean;
}

const list: readonly ReadyMap[] = known;

/** The ready mapping for a file; undefined if there is none. */
export function readyMapFor(head: Buffer): ReadyMap | undefined {
  const text = head.toString('latin1', 0, 4096).replace(/^\u00ef\u00bb\u00bf/, '');
  return list.find((one) => new RegExp(one.head).test(text));
}
