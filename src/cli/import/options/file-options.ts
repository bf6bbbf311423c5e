// What imports and `inspect` say alike about the file that they read: the argument, and options about the place of its records.
import { type Command, Option } from 'commander';
import { formatNames, formats } from '../../../source/bytes/detect-format.js';
import { wholeNumber } from '../../options.js';

/** What can be read, for the help of an argument: `CSV, TSV, JSON, NDJSON or XML, also as .gz …` */
export const readableFiles = `${Object.values(formatNames)
  .join(', ')
  .replace(/, (?!.*, )/, ' or ')}, also as .gz or .zip, or .xlsx; an address (https://…); - for the standard input`;

export function addFormatOption(command: Command): Command {
  return command.addOption(
    new Option('--format <format>', 'format of the file (default: by extension, else by its first bytes)').choices(
      formats,
    ),
  );
}

/** @param skipped the default of `--skip`, in words */
export function addPlaceOptions(command: Command, skipped: string): Command {
  return command
    .option(
      '--sheet <name>',
      'the sheet of a workbook, or the file of an archive (default: the first, or the only one)',
    )
    .option('--skip <lines>', `lines above the header of a table (default: ${skipped})`, wholeNumber)
    .option(
      '--items <path>',
      'path of the list of records in a JSON document, such as data.products (default: its only list of objects)',
    )
    .option('--record <element>', 'element of an XML file that is a record (default: known formats are recognized)');
}
