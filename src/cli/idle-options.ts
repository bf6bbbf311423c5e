// Options that mean something only together with another one. Typed without it they would be ignored, and who typed them would
// believe that they count: so they are refused. From the configuration file they count where they can.
import type { Command } from 'commander';
import { CatalogError } from '../core/errors.js';
import { isAddress } from '../core/text/mask-credentials.js';

/** What a command is given, as far as the rules look at it. */
interface Given {
  readonly command: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly target: 'remote' | 'postgres' | 'file';
  /** Whether an argument is an address. */
  readonly isFetched: boolean;
}

/** When an option means something, and what to say where it does not. */
export interface IdleRule {
  readonly options: readonly string[];
  /** Commands in which they never mean anything: their help leaves them out. */
  readonly notIn?: readonly string[];
  readonly means?: (given: Given) => boolean;
  readonly remedy: string;
}

/** The rules, by the long names of the options. */
export const idleRules: readonly IdleRule[] = [
  {
    options: ['--api-key-file', '--api-key-env', '--retry-max-wait', '--retry-max-time', '--concurrency'],
    means: ({ target }) => target === 'remote',
    remedy: 'is for a remote. Name one with --remote, or leave it out.',
  },
  {
    options: ['--allow-http'],
    means: ({ target, isFetched }) => target === 'remote' || isFetched,
    remedy: 'is for a remote, or a source by address. Name one, or leave it out.',
  },
  {
    options: ['--ca-file'],
    means: ({ target, isFetched }) => target !== 'file' || isFetched,
    remedy: 'is for a remote, a catalog in PostgreSQL, or a source by address. Name one, or leave it out.',
  },
  {
    options: ['--source-auth-env', '--source-max-size', '--source-max-time', '--max-age'],
    notIn: ['run'],
    means: ({ isFetched }) => isFetched,
    remedy: 'is for a source by address, such as https://supplier.example/feed.csv. Name one, or leave it out.',
  },
  {
    options: ['--missing-after'],
    means: ({ options }) => options['missing'] === 'suspend',
    remedy: 'is for --missing suspend. Add that, or leave it out.',
  },
  {
    options: ['--max-price-change'],
    notIn: ['characteristics', 'categories', 'groups', 'reviews', 'load'],
    remedy: 'is for products: no other records have prices. Leave it out.',
  },
  {
    options: ['--dry-run', '--no-history', '--keep', '--on-end', '--on-end-when'],
    notIn: ['plan'],
    remedy: 'is for imports: a plan writes nothing to the catalog. Leave it out.',
  },
  {
    options: ['--on-end-when'],
    means: ({ options }) => options['onEnd'] !== undefined,
    remedy: 'is for --on-end. Add that, or leave it out.',
  },
];

/**
 * Refuses typed options that would mean nothing.
 * @param command the typed command, after the configuration file was applied
 * @throws CatalogError `usage` with the option and the remedy
 */
export function refuseIdleOptions(command: Command, env: NodeJS.ProcessEnv): void {
  const options = command.optsWithGlobals();
  const isFetched = command.args.some(isAddress);
  const given: Given = { command: command.name(), options, target: targetOf(options, env), isFetched };
  for (const { options: names, notIn, means, remedy } of idleRules) {
    if (notIn?.includes(given.command) !== true && (means === undefined || means(given))) continue;
    for (const option of command.options)
      if (names.includes(option.long ?? '') && isTyped(command, option.attributeName()))
        throw new CatalogError('usage', `${option.long} ${remedy}`);
  }
}

/** Of `runs show 1 --ca-file x` the option is one of `runs`, which has it, too. */
function isTyped(command: Command, name: string): boolean {
  return command.getOptionValueSourceWithGlobals(name) === 'cli';
}

/** Leaves the options out of the help of a command in which they never mean anything. */
export function hideIdleOptions(command: Command): Command {
  for (const { options: names, notIn } of idleRules)
    if (notIn?.includes(command.name()))
      for (const option of command.options) if (names.includes(option.long ?? '')) option.hideHelp();
  return command;
}

/** The kind of target: what is typed precedes the variables. */
function targetOf(options: Given['options'], env: NodeJS.ProcessEnv): Given['target'] {
  const isNamed = options['db'] !== undefined || options['remote'] !== undefined;
  const { db, remote } = isNamed ? options : { db: env['CATALOG_DB'], remote: env['CATALOG_REMOTE'] };
  if (remote !== undefined) return 'remote';
  return /^postgres(ql)?:/i.test(String(db ?? '')) ? 'postgres' : 'file';
}
