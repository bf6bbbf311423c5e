// Options shared by commands, and opening the target they name.

import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Catalog } from '../core/catalog.js';
import { CatalogError } from '../core/errors.js';
import { durationSeconds } from '../core/text/duration.js';
import { maskCredentials } from '../core/text/mask-credentials.js';
import type { RemoteCatalog } from '../http/client/remote-catalog.js';
import { catalogPlace, type PostgresFlags, refusePassword } from '../store/catalog-path.js';
import type { LocalCatalog } from '../store/open.js';
import { exampleText } from './help-layout.js';
import { addRemoteOptions, openRemote, type RemoteFlags } from './remote.js';

/** Options that choose the target: a local catalog, or a remote instance. */
export interface TargetOptions extends RemoteFlags, PostgresFlags {
  readonly db?: string;
  readonly remote?: string;
}

/** Names of options whose values come from the configuration file. */
export interface ConfiguredOptions {
  readonly configured?: readonly string[];
  /** Those of them that come from the defaults of a folder's file. */
  readonly ofFolder?: readonly string[];
}

/** Options about output on stderr. */
export interface VoiceOptions {
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** An opened target; `local` or `remote` is the same catalog with the type of that kind. */
export interface CatalogTarget {
  readonly catalog: Catalog;
  /** Shop records can be managed only in a local catalog. */
  readonly local?: LocalCatalog;
  readonly remote?: RemoteCatalog;
}

/** The intended use of a target. */
export interface TargetUse {
  readonly create: boolean;
  /** A dry run, on a scratch copy. */
  readonly scratch?: boolean;
  /** Called for each wait before a request to a remote is repeated. */
  readonly onWait?: (milliseconds: number, why: string) => void;
}

/**
 * Adds `--db` and `--remote` with their dependent options.
 * @param does what the command does to a remote, for the help
 */
export function addTargetOptions(command: Command, does: 'import into' | 'read from' = 'import into'): Command {
  return addRemoteOptions(
    addDbOptions(command).option('--remote <url>', `${does} this remote instance instead (env: CATALOG_REMOTE)`),
  );
}

/** Adds `--db` alone, for commands that need a local catalog. */
export function addLocalOption(command: Command): Command {
  return addDbOptions(command).option(
    '--ca-file <file>',
    'certificates (PEM) to trust the PostgreSQL server by, as sslrootcert in its address',
  );
}

function addDbOptions(command: Command): Command {
  return command
    .option(
      '--db <file>',
      'the catalog: a file, or postgres://user@host/database (env: CATALOG_DB; default: ./catalog.db)',
      typedCatalog('--db'),
    )
    .option('--schema <name>', 'PostgreSQL: the schema of the catalog (default: catalog_import)');
}

/** Parses the name of a catalog from the command line, which other users can see: it must not contain a password. */
export function typedCatalog(option: string): (value: string) => string {
  return (value) => {
    refusePassword(value, option);
    return value;
  };
}

/** The options that choose a local catalog. */
export type LocalOptions = Pick<TargetOptions, 'db' | 'schema' | 'caFile'>;

export interface ResultFlags {
  readonly output: 'table' | 'json';
  readonly quiet?: boolean;
}

const quietly = {
  action: 'print nothing where nothing went wrong',
  query: 'print the result alone, without notices',
} as const;

/**
 * Adds `--output` and `--quiet` to a command.
 * @param kind a query prints its result even with --quiet; an action does not
 */
export function addResultOptions(command: Command, kind: keyof typeof quietly): Command {
  return addQuiet(
    command.addOption(new Option('--output <form>', 'form of the result').choices(['table', 'json']).default('table')),
    kind,
  );
}

export function addQuiet(command: Command, kind: keyof typeof quietly): Command {
  return command.option('-q, --quiet', quietly[kind]);
}

/** Prints the result of an action: a line of text or of JSON; nothing with --quiet. */
export function printDone(
  { stdout }: Pick<NodeJS.Process, 'stdout'>,
  { output, quiet }: ResultFlags,
  { words, json }: { readonly words: string; readonly json: object },
): void {
  if (quiet !== true) stdout.write(`${output === 'json' ? JSON.stringify(json) : words}\n`);
}

export function addOutputOptions(command: Command): Command {
  return command
    .option('-q, --quiet', 'print nothing where nothing went wrong: neither report nor notices')
    .option('--no-color', 'no colour (env: NO_COLOR)');
}

/**
 * The local catalog that options and environment name, for commands that do not support remotes: the absolute path of a file,
 * or an address of PostgreSQL.
 * @throws CatalogError `usage` where the name is blank or `:memory:`, an option contains a password, or the environment names a
 *   remote: another catalog must not be used in its place
 */
export function localFile(options: LocalOptions, env: NodeJS.ProcessEnv): string {
  const target = chooseTarget(options, env);
  if ('db' in target) return target.db;
  throw new CatalogError(
    'usage',
    `CATALOG_REMOTE names ${maskCredentials(target.remote)}, and this command works on a local catalog. Name it with --db, such as --db catalog.db, or unset CATALOG_REMOTE.`,
  );
}

/** The catalog of `--db`, of CATALOG_DB, or ./catalog.db. */
function localPlace(options: LocalOptions, env: NodeJS.ProcessEnv): string {
  if (options.db !== undefined) return catalogPlace(options.db, '--db', options);
  const named = env['CATALOG_DB'];
  return named === undefined ? catalogPlace('catalog.db', '--db', options) : catalogPlace(named, 'CATALOG_DB', options);
}

/**
 * Decides which target is meant. Flags override variables; two targets in flags, or two in variables, are an error.
 * @returns the absolute path of the catalog file, or the address of the remote
 */
export function chooseTarget(
  options: TargetOptions,
  env: NodeJS.ProcessEnv,
): { readonly db: string } | { readonly remote: string } {
  if (options.db !== undefined && options.remote !== undefined)
    throw new CatalogError('usage', '--db and --remote name two targets; give one of them.');
  if (options.db !== undefined) return { db: localPlace(options, env) };
  if (options.remote !== undefined) return { remote: options.remote };
  const { CATALOG_DB: db, CATALOG_REMOTE: remote } = env;
  // If a variable was meant to name a remote, the import must not fall back to ./catalog.db.
  if (remote?.trim() === '')
    throw new CatalogError(
      'usage',
      'CATALOG_REMOTE is blank; set it to an address such as https://shop.example, or unset it.',
    );
  if (db !== undefined && remote !== undefined) {
    throw new CatalogError(
      'usage',
      'CATALOG_DB and CATALOG_REMOTE are both set; choose one with --db or --remote, or unset one.',
    );
  }
  return remote === undefined ? { db: localPlace(options, env) } : { remote };
}

/** Milliseconds for which an import tries to reconnect to a database; a server restarts in less. */
const importPatience = 15_000;

export async function openTarget(
  options: TargetOptions,
  env: NodeJS.ProcessEnv,
  { onWait = () => undefined, ...use }: TargetUse,
): Promise<CatalogTarget> {
  const chosen = chooseTarget(options, env);
  if ('remote' in chosen) {
    const remote = await openRemote(chosen.remote, options, env, onWait);
    return { catalog: remote, remote };
  }
  const { openCatalog } = await import('../store/open.js');
  const local = await openCatalog({ file: chosen.db, ...use, ...(use.create && { patience: importPatience }) });
  return { catalog: local, local };
}

/** Opens the local catalog, for commands that do not support remotes. */
export async function openLocal(
  options: LocalOptions,
  env: NodeJS.ProcessEnv,
  use: { readonly create: boolean; readonly scratch?: boolean },
): Promise<LocalCatalog> {
  const { openCatalog } = await import('../store/open.js');
  return openCatalog({ file: localFile(options, env), ...use });
}

/** Parses an option's value as a whole number of zero or more. */
export function wholeNumber(value: string): number {
  return wholeNumberOr(value, '');
}

/**
 * Parses a whole number of zero or more, where the option takes something else, too.
 * @param other the other forms, for the message: `, or off`
 */
export function wholeNumberOr(value: string, other: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError(`Use a whole number of 0 or more${other}.`);
  return Number(value);
}

/** Takes a text that may not be empty: a variable that is not set makes one. */
export function given(value: string): string {
  if (value.trim() === '') throw new InvalidArgumentError('It is empty.');
  return value;
}

export function portNumber(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port <= 65_535)) throw new InvalidArgumentError('Use a port from 0 to 65535.');
  return port;
}

/** Parses a duration: `90d` to seconds. */
export function lifetime(value: string): number {
  const seconds = durationSeconds(value);
  if (seconds === undefined)
    throw new InvalidArgumentError('Use a number from 1 to 999999 and one of s m h d, such as 90d.');
  return seconds;
}

/** Examples of a command, each with what it does. */
type Examples = readonly (readonly [line: string, does: string])[];

const examplesByCommand = new WeakMap<Command, Examples>();

export function addExamples(command: Command, examples: Examples): Command {
  examplesByCommand.set(command, examples);
  return command.addHelpText('after', ({ command: shown }) => {
    const width = shown.configureOutput().getOutHelpWidth?.() ?? 80;
    const lines = examples.map(([line, does]) => exampleText(line, does, width));
    return `\nExamples:\n${lines.join('\n\n')}`;
  });
}

export function examplesOf(command: Command): Examples {
  return examplesByCommand.get(command) ?? [];
}

/** Whether to use colour on a stream: a terminal that supports it, unless the user switched it off. */
export function wantsColour(stream: NodeJS.WriteStream, { color }: VoiceOptions, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY && color && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** Whether the program runs in continuous integration, where its log is read later and by people. */
export function isContinuousIntegration({ CI }: NodeJS.ProcessEnv): boolean {
  return CI !== undefined && !['', '0', 'false'].includes(CI.toLowerCase());
}

/** Whether a terminal can show a line that changes. */
export function canSpin(env: NodeJS.ProcessEnv): boolean {
  return env['TERM'] !== 'dumb' && !isContinuousIntegration(env);
}
