// `--fail-on`: warnings that make an import end with exit code 3.
import { InvalidArgumentError } from 'commander';
import { warnings } from '../../../core/diagnostics/warning-codes.js';
import { nearest } from '../../../core/text/text.js';

/** Codes of warnings; `warnings` stands for all but those of ordinary runs. */
export type FailOn = readonly string[];

/** Stands for every warning that ordinary runs do not have. */
export const anyWarning = 'warnings';

/** Reads `column_vanished,file_repeated`, or `warnings`. */
export function failOn(value: string): FailOn {
  const codes = value.split(',').map((code) => code.trim());
  const known = [anyWarning, ...Object.keys(warnings)];
  const wrong = codes.find((code) => !known.includes(code));
  if (wrong === undefined) return codes;
  const near = nearest(wrong, known);
  throw new InvalidArgumentError(
    `${wrong} is not the code of a warning. ${near === undefined ? 'Use codes such as column_vanished, or warnings for all.' : `Did you mean ${near}?`}`,
  );
}
