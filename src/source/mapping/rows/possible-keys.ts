// The keys that an unreadable record may have: later records of these keys come back with it, so that they still count
// after it.
import type { FileNote } from '../../../core/diagnostics/file-notes.js';
import type { UnreadableEntry } from '../../../core/entry.js';
import { counted } from '../../../core/text/counted.js';
import { rowAlignments } from '../../csv/row-alignments.js';
import type { RowPlace } from '../../file-place.js';
import { bindSection } from '../bind-section.js';
import type { MapperState } from '../mapper-state.js';
import { entryKey } from './group-gap.js';
import { wordsOf } from './unreadable-records.js';

/** Maximum rows with a wrong number of cells whose alignments are tried. */
const mostGuessed = 1_000;

/** The notice where more rows of another shape were refused than are examined. */
export function guessNotes({ guesses }: MapperState): FileNote[] {
  const beyond = guesses - mostGuessed;
  if (beyond <= 0) return [];
  const rows = counted(beyond, 'rows');
  const words =
    `${rows} with another number of cells than the header, after ${mostGuessed} others, come back without later rows of ` +
    'their keys: correct the file itself and import all of it';
  return [{ code: 'refused_apart', words }];
}

/** The keys that an unreadable record may have. */
export function possibleKeys(state: MapperState, { cells }: UnreadableEntry, place: RowPlace, raw: string): string[] {
  const { bound: known, use } = state;
  if (cells === undefined || known?.columns === undefined) return wordsOf(raw) ?? [];
  if (state.guesses++ >= mostGuessed) return [];
  // Counts and notices of these trials are discarded.
  const { trace: _, ...mapped } = use.mapped;
  state.guess ??= bindSection({ ...use, mapped }, known.columns);
  const { maker } = state.guess;
  const keys = new Set<string>();
  for (const row of rowAlignments(cells, known.columns.length))
    for (const filled of known.fill?.variants(row) ?? [row])
      for (const entry of maker.entries([filled], [place])) keys.add(entryKey(entry, use.key));
  return [...keys];
}
