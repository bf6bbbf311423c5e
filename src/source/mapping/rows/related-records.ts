// The records that an unreadable record may concern: those with its possible keys, and those it may look up. They are
// written with it to the file of refused rows, since they matter after its correction.
import type { UnreadableEntry } from '../../../core/entry.js';
import { rowAlignments } from '../../csv/row-alignments.js';
import type { RawPart } from '../../record-reader.js';
import { bindSection } from '../bind-section.js';
import type { MapperState } from '../mapper-state.js';
import { entryKey } from './group-gap.js';
import { mentioned, wordsOf } from './unreadable-records.js';

/** Maximum rows with a wrong number of cells whose alignments are tried. */
const mostGuessed = 1_000;

/** The notice where more rows of another shape were refused than are examined. */
export function guessNotes({ guesses }: MapperState): string[] {
  const beyond = guesses - mostGuessed;
  if (beyond <= 0) return [];
  const rows = beyond === 1 ? '1 row' : `${beyond} rows`;
  return [
    `${rows} with another number of cells than the header, after ${mostGuessed} others, come back without later rows of ` +
      'their keys: correct the file itself and import all of it',
  ];
}

/** The keys that an unreadable record may have, and the records it may look up. */
export function relatedTo(
  state: MapperState,
  { cells }: UnreadableEntry,
  {
    line,
    raw,
    above = [],
  }: { readonly line: number; readonly raw: string; readonly above: readonly string[] | undefined },
): RawPart[] {
  const { bound: known, use } = state;
  const lookedUp = state.hasTables ? mentioned([raw, ...above], use.before.tables) : [];
  if (cells === undefined || known?.columns === undefined)
    return [...wordsOf(raw).map((text) => ({ text, line, isKey: true })), ...lookedUp];
  if (state.guesses++ >= mostGuessed) return lookedUp;
  // Counts and notices of these trials are discarded.
  state.guess ??= bindSection(use, known.columns);
  const { maker, scope } = state.guess;
  // Without a key it makes no item in any alignment.
  const keys = new Set<string>(['']);
  for (const row of rowAlignments(cells, known.columns.length))
    for (const filled of known.fill?.variants(row) ?? [row])
      for (const entry of maker.entries([filled], line)) keys.add(entryKey(entry, use.key));
  return [...[...keys].map((text) => ({ text, line, isKey: true })), ...lookedUp, ...scope.takeLookedUp()];
}
