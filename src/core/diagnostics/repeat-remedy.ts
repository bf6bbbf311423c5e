// What helps where rows share a key: an option of the import; `once: merge` of the mapping, where its `rows` joins only
// rows that follow each other; or another export, where a spreadsheet has shortened keys until they are equal.
import { hasLostDigits } from '../text/lost-digits.js';
import { quote } from '../text/text.js';

export type RepeatRemedy = 'option' | 'merge' | 'export';

/** @param joinsRows whether the mapping has `rows` */
export function repeatRemedy(keys: readonly string[], joinsRows: boolean | undefined): RepeatRemedy {
  if (keys.some(hasLostDigits)) return 'export';
  return joinsRows === true ? 'merge' : 'option';
}

/** The remedies that no option is, to follow the fault. */
export const repeatWords: Readonly<Record<Exclude<RepeatRemedy, 'option'>, string>> = {
  merge:
    'rows: joins only rows that follow each other; write once: merge in place of it, or sort the file by its column',
  export: 'a spreadsheet has shortened such keys, so that different ones are equal; export the column as text',
};

/** The reason of a record that shares its key with another row. */
export function repeatedText({ key, line, remedy }: SharedKey): string {
  const help = remedy === 'option' ? 'send each record once, or use --on-duplicate last' : repeatWords[remedy];
  return `${quote(key)} is on line ${line} too; ${help}`;
}

interface SharedKey {
  readonly key: string;
  readonly line: number;
  readonly remedy: RepeatRemedy;
}
