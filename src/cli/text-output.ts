// Where a command writes a text that can be imported: to stdout, or to the file of --to, which appears whole or not at all. A shell
// can redirect stdout as well, but PowerShell before 7.4 changes the encoding of what it redirects.
import { extname } from 'node:path';
import type { Command } from 'commander';
import { replaceFile } from '../files/durable-file.js';
import { withWriteErrors } from '../files/write-text-file.js';
import { byteOrderMark } from '../reporting/formats/csv-cell.js';
import type { Write } from '../reporting/formats/report-form.js';
import { streamWriter } from '../reporting/formats/stream-writer.js';
import { outputReservations } from './import/outputs/output-reservations.js';
import { chooseTarget, type TargetOptions } from './options.js';

export interface TextOutputOptions {
  readonly to?: string;
  readonly bom?: boolean;
}

export function addTextOutputOptions(command: Command): Command {
  return command
    .option('--to <file>', 'write this file instead of stdout')
    .option('--bom', 'begin with a byte order mark, by which Excel recognizes UTF-8');
}

/**
 * The form of a text: the typed one, else that of the ending of --to, so that the file imports as it is.
 * @param forms the usual one first
 */
export function textForm<F extends string>(
  { output, to }: { readonly output?: F; readonly to?: string },
  forms: readonly [F, ...F[]],
): F {
  return output ?? forms.find((form) => to !== undefined && extname(to).toLowerCase() === `.${form}`) ?? forms[0];
}

/**
 * Passes what `work` writes to the output.
 * @throws CatalogError `usage` where the file would overwrite the catalog or a key, or cannot be written
 */
export async function withTextOutput(
  options: TextOutputOptions & TargetOptions,
  { stdout, env }: NodeJS.Process,
  work: (write: Write) => Promise<void> | void,
): Promise<void> {
  const mark = options.bom === true ? byteOrderMark : '';
  const { to } = options;
  if (to === undefined) {
    const write = streamWriter(stdout);
    await write(mark);
    return work(write);
  }
  const target = chooseTarget(options, env);
  const reads = [options.apiKeyFile, env['CATALOG_API_KEY_FILE'], options.caFile];
  outputReservations('db' in target ? target.db : undefined, reads).reserve('--to', to);
  const telling = <T>(step: () => T): T => withWriteErrors(`--to ${to}`, step);
  const file = telling(() => replaceFile(to));
  const write: Write = (text) => telling(() => file.write(Buffer.from(text)));
  try {
    await write(mark);
    await work(write);
    telling(() => file.commit());
  } finally {
    file.discard();
  }
}
