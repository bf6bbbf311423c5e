// The options of sources by address.
import { type Command, InvalidArgumentError } from 'commander';
import { lifetime } from '../options.js';
import { variableName } from '../remote.js';

/** These options, as typed. Times are in seconds. */
export interface AddressFlags {
  readonly allowHttp?: boolean;
  readonly caFile?: string;
  readonly sourceAuthEnv?: string;
  readonly sourceMaxSize?: number;
  readonly sourceMaxTime?: number;
}

/** Adds those that a command does not have for its target. */
export function addAddressOptions(command: Command): Command {
  const has = (name: string): boolean => command.options.some((option) => option.attributeName() === name);
  if (!has('allowHttp')) command.option('--allow-http', 'allow http from hosts other than this machine');
  if (!has('caFile')) command.option('--ca-file <file>', 'certificates (PEM) to trust in addition to those of Node.js');
  return command
    .option(
      '--source-auth-env <name>',
      'environment variable with user:password or a token for a source by address (default: ~/.netrc)',
      variableName,
    )
    .option('--source-max-size <size>', 'most bytes to fetch from an address, such as 4GiB (default: 1GiB)', size)
    .option('--source-max-time <time>', 'longest time to fetch a source (default: 1h)', lifetime);
}

const units: Readonly<Record<string, number>> = { KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 };

function size(value: string): number {
  const [, count, unit = ''] = /^(\d{1,6})(KiB|MiB|GiB)$/.exec(value) ?? [];
  const bytes = Number(count) * (units[unit] ?? Number.NaN);
  if (!(bytes > 0)) throw new InvalidArgumentError('Use a number and one of KiB MiB GiB, such as 4GiB.');
  return bytes;
}
