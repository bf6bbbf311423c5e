// Options about the form of a file that mean nothing for a file of another form: typed for such a file they are an error. A
// default of the configuration file is for other files, too, and does not count here.
import { CatalogError } from '../core/errors.js';
import { type Format, formatNames } from './bytes/detect-format.js';
import type { Compression } from './bytes/open-bytes.js';

/** The form of a file, as far as options depend on it. */
export interface FileForm {
  readonly format: Format;
  readonly compression: Compression | undefined;
  /** Whether it holds refused records of another file, which the options are about. */
  readonly isSentBack?: boolean;
}

interface FormRule {
  readonly fits: (form: FileForm) => boolean;
  /** What it is for. */
  readonly purpose: string;
}

const isBook = ({ compression }: FileForm): boolean => compression === 'xlsx';
const isTable = ({ format }: FileForm): boolean => format === 'csv' || format === 'tsv';
const ofTables: FormRule = { fits: isTable, purpose: 'tables (CSV, TSV, Excel)' };

const rules = {
  delimiter: { fits: (form) => isTable(form) && !isBook(form), purpose: 'CSV and TSV' },
  encoding: { fits: (form) => !isBook(form), purpose: 'text files; a workbook names its own' },
  skip: ofTables,
  sheet: {
    fits: ({ compression }) => compression === 'xlsx' || compression === 'zip',
    purpose: 'Excel workbooks and zip archives',
  },
  record: { fits: ({ format }) => format === 'xml', purpose: 'XML' },
  items: { fits: ({ format }) => format === 'json', purpose: 'JSON documents' },
  columns: ofTables,
  header: ofTables,
  short_rows: ofTables,
  sections: ofTables,
  leave_out: ofTables,
} as const satisfies Readonly<Record<string, FormRule>>;

/** An option about the form of a file. */
export type FormOption = keyof typeof rules;

export const formOptions = Object.keys(rules) as readonly FormOption[];

export type GivenFormOptions = Readonly<Partial<Record<FormOption, string>>>;

/** The given options that a file's form gives no meaning. */
export function unfittingOptions(given: GivenFormOptions, form: FileForm): FormOption[] {
  if (form.isSentBack === true) return [];
  return formOptions.filter((option) => given[option] !== undefined && !(rules[option] as FormRule).fits(form));
}

/**
 * Refuses options that mean nothing for a file.
 * @throws CatalogError `usage` with the option, what it is for, and what the file is
 */
export function refuseUnfitting(given: GivenFormOptions, form: FileForm, file: string): void {
  const [option] = unfittingOptions(given, form);
  if (option === undefined) return;
  const what = isBook(form) ? 'an Excel workbook' : formatNames[form.format];
  const shown = file === '-' ? 'the standard input' : file;
  const remedy = isBook(form) ? 'Leave it out.' : 'Leave it out, or name the format of the file with --format.';
  throw new CatalogError(
    'usage',
    `${given[option]} is for ${rules[option].purpose}, and ${shown} is ${what}. ${remedy}`,
  );
}

/** What an option is for, in words. */
export function purposeOf(option: FormOption): string {
  return rules[option].purpose;
}
