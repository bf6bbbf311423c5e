// Notices about a mapped file, one line a column: detected decimal signs, numbers rounded by a spreadsheet, truncated texts.
import type { FileNote } from '../../core/diagnostics/file-notes.js';
import { newWarning, type Warning } from '../../core/diagnostics/warning-codes.js';
import { counted } from '../../core/text/counted.js';
import { quote } from '../../core/text/text.js';
import type { Decisions, FileScope } from './file-scope.js';
import type { MapperState } from './mapper-state.js';
import { guessNotes } from './rows/possible-keys.js';
import { kindText } from './values/amount-words.js';

const signWords = { ',': 'decimal comma', '.': 'decimal point' } as const;

/** A line for each column: `column "VK": decimal comma (1204 numbers)`. */
function decimalSignNotes(decisions: Decisions): FileNote[] {
  return [...decisions].map(([column, signs]) => {
    const reported = [...signs].map(
      ([sign, count]) => `${signWords[sign]} (${count} ${count === 1 ? 'number' : 'numbers'})`,
    );
    const both = signs.size > 1 ? '; both occur: set decimal: if one of them is wrong' : '';
    const code = signs.size > 1 ? 'decimals_mixed' : 'decimals_guessed';
    return { code, words: `${column}: read with ${reported.join(' and ')}${both}` };
  });
}

/** A line for each column in which some amounts say that they are without tax, and others that they are with tax. */
function taxNotes(taxes: FileScope['taxes']): FileNote[] {
  return [...taxes].flatMap(([column, kinds]) => {
    const firsts = (['gross', 'net'] as const).flatMap((kind) => {
      const { text, line } = kinds.get(kind) ?? {};
      return text === undefined
        ? []
        : `${kindText(kind)} (${quote(text)}${line === undefined ? '' : `, line ${line}`})`;
    });
    const words = `${column}: some amounts are ${firsts.join(', others ')}; make them alike, or leave out the others with skip:`;
    return firsts.length < 2 ? [] : [{ code: 'taxes_mixed', words }];
  });
}

/** A line for each column with numbers that a spreadsheet has rounded. */
function lostDigitNotes(lost: FileScope['lost']): FileNote[] {
  return [...lost].map(([column, { count, first }]) => {
    const values = count === 1 ? `${quote(first)} is` : `${count} values such as ${quote(first)} are`;
    const words = `${column}: ${values} rounded by a spreadsheet, which lost digits; export the column as text`;
    return { code: 'digits_rounded', words };
  });
}

/** A line for each column with values that were cut. */
function truncationNotes(truncated: FileScope['truncated']): FileNote[] {
  return [...truncated].map(([what, count]) => ({ code: 'texts_cut', words: `${what} (${counted(count, 'values')})` }));
}

/** The warnings about a file that went through a mapping. */
export function mappingWarnings({ bound, use: { before, file } }: MapperState): Warning[] {
  const ofTables = [...before.tables.values()].flatMap(({ absent = [] }) => absent);
  const columns = [...new Set([...(bound?.scope.absent() ?? []), ...ofTables])];
  const unread = bound?.unused.counts();
  const texts = [...(bound?.scope.texts ?? [])].filter(([column]) => unread?.has(column.trim()));
  return [
    ...(columns.length === 0 ? [] : [newWarning('column_absent', { file, columns })]),
    ...(texts.length === 0 ? [] : [newWarning('column_as_text', { file, places: Object.fromEntries(texts) })]),
  ];
}

function skipped(words: string): FileNote {
  return { code: 'rows_skipped', words };
}

/** The notices about a file that went through a mapping. */
export function mappingNotes(state: MapperState): FileNote[] {
  const { bound: known, once, records, kept, blank, partless, use } = state;
  // What is taken once, such as the characteristics that products have, need not be in each record.
  const { once: isOnce, each = [] } = use.mapped.section;
  const isTold = partless > 0 && (isOnce === undefined || partless === records);
  const [dropped] = [each].flat().flatMap((one) => ('path' in one && one.drop ? [one.drop] : []));
  const why =
    dropped === undefined ? '' : `; drop: ${dropped} leaves out the first ${counted(dropped, 'names')} of each path`;
  const scope = known?.scope;
  return [
    ...(kept > 0 ? [skipped(`${kept} of ${records} records skipped by keep and skip`)] : []),
    ...(blank > 0 ? [skipped(`${blank} empty rows skipped`)] : []),
    ...(isTold ? [skipped(`${partless} of ${records} records have no part for each, and give nothing${why}`)] : []),
    ...(once?.notes() ?? []),
    ...guessNotes(state),
    ...(scope === undefined
      ? []
      : [
          ...decimalSignNotes(scope.decisions),
          ...taxNotes(scope.taxes),
          ...lostDigitNotes(scope.lost),
          ...truncationNotes(scope.truncated),
        ]),
  ];
}
