// Options shared by commands, and the opening of the target they name.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Catalog } from '../core/catalog.js';
import { CatalogError } from '../core/errors.js';
import type { RemoteCatalog } from '../http/client/remote-catalog.js';
import { catalogPlace, type PostgresFlags, refusePassword } from '../store/catalog-path.js';
import type { LocalCatalog } from '../store/open.js';
import { exampleText } from './help-layout.js';
import { addRemoteOptions, openRemote, type RemoteFlags } from './remote.js';

/** Where to: a local catalog, or a remote instance. */
export interface TargetOptions extends RemoteFlags, PostgresFlags {
  readonly db?: string;
  readonly remote?: string;
}

/** How loud a command is. */
export interface VoiceOptions {
  readonly quiet?: boolean;
  readonly color: boolean;
}

/** An opened target. `local` or `remote` is the catalog once more, as the kind of target it is. */
export interface CatalogTarget {
  readonly catalog: Catalog;
  /** The shop's side exists only here. */
  readonly local?: LocalCatalog;
  readonly remote?: RemoteCatalog;
}

/** What a target is opened for. */
export interface TargetUse {
  /** Make a missing local catalog. */
  readonly create: boolean;
  /** A dry run, on a copy that is thrown away. */
  readonly scratch?: boolean;
  /** Told of each wait before something is sent to a remote again. */
  readonly onWait?: (milliseconds: number, why: string) => void;
}

/** Adds `--db` and `--remote` with what belongs to them. */
export function addTargetOptions(command: Command): Command {
  return addRemoteOptions(
    addDbOptions(command).option('--remote <url>', 'import into this remote instance instead (env: CATALOG_REMOTE)'),
  );
}

/** Adds `--db` alone, for what concerns a local catalog only. */
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

/** Reads a catalog that is typed: others see what is typed, so that it may hold no password. */
export function typedCatalog(option: string): (value: string) => string {
  return (value) => {
    refusePassword(value, option);
    return value;
  };
}

/** What tells which local catalog is meant. */
export type LocalOptions = Pick<TargetOptions, 'db' | 'schema' | 'caFile'>;

/** How the result of a command is printed. */
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
 * @param kind a query prints its result also with --quiet, since it was asked for it; an action does not
 */
export function addResultOptions(command: Command, kind: keyof typeof quietly): Command {
  return addQuiet(
    command.addOption(new Option('--output <form>', 'form of the result').choices(['table', 'json']).default('table')),
    kind,
  );
}

/** Adds `--quiet` to a command that has forms of its own. */
export function addQuiet(command: Command, kind: keyof typeof quietly): Command {
  return command.option('-q, --quiet', quietly[kind]);
}

/** Prints the result of an action: a line for people or a line of JSON; nothing with --quiet. */
export function printDone(
  { stdout }: Pick<NodeJS.Process, 'stdout'>,
  { output, quiet }: ResultFlags,
  { words, json }: { readonly words: string; readonly json: object },
): void {
  if (quiet !== true) stdout.write(`${output === 'json' ? JSON.stringify(json) : words}\n`);
}

/** Adds `--quiet` and `--no-color`. */
export function addOutputOptions(command: Command): Command {
  return command
    .option('-q, --quiet', 'print nothing where nothing went wrong: neither report nor notices')
    .option('--no-color', 'no colour (env: NO_COLOR)');
}

/**
 * The local catalog that options and environment name: the absolute path of a file, or an address of PostgreSQL.
 * @throws CatalogError `usage` where the name is blank or `:memory:`, or an option holds a password
 */
export function localFile(options: LocalOptions, env: NodeJS.ProcessEnv): string {
  if (options.db !== undefined) return catalogPlace(options.db, '--db', options);
  const named = env['CATALOG_DB'];
  return named === undefined ? catalogPlace('catalog.db', '--db', options) : catalogPlace(named, 'CATALOG_DB', options);
}

/**
 * Tells which target is meant. Flags beat variables; two targets of one kind of telling are an error.
 * @returns the absolute path of the catalog file, or the address of the remote
 */
export function chooseTarget(
  options: TargetOptions,
  env: NodeJS.ProcessEnv,
): { readonly db: string } | { readonly remote: string } {
  if (options.db !== undefined && options.remote !== undefined)
    throw new CatalogError('usage', '--db and --remote name two targets; give one of them.');
  if (options.db !== undefined) return { db: localFile(options, env) };
  if (options.remote !== undefined) return { remote: options.remote };
  const { CATALOG_DB: db, CATALOG_REMOTE: remote } = env;
  // A variable that was meant to name a remote must not make the import go to ./catalog.db.
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
  return remote === undefined ? { db: localFile(options, env) } : { remote };
}

/** Milliseconds for which an import tries to get back the connection to a database that it lost: a server restarts in less. */
const importPatience = 15_000;

/** Opens the target that options and environment name. */
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

/** Opens the local catalog, for commands that know no remote. */
export async function openLocal(
  options: LocalOptions,
  env: NodeJS.ProcessEnv,
  use: { readonly create: boolean; readonly scratch?: boolean },
): Promise<LocalCatalog> {
  const { openCatalog } = await import('../store/open.js');
  return openCatalog({ file: localFile(options, env), ...use });
}

/** Reads the argument of an option that is a whole number of zero or more. */
export function wholeNumber(value: string): number {
  if (!/^\d{1,15}$/.test(value)) throw new InvalidArgumentError('Use a whole number.');
  return Number(value);
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/** Reads a length of time: `90d` in seconds. */
export function lifetime(value: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  const seconds = Number(count) * (secondsOf[unit ?? ''] ?? Number.NaN);
  if (!(seconds > 0)) throw new InvalidArgumentError('Use a number and one of s m h d, such as 90d.');
  return seconds;
}

/** Examples of a command, one a line, each with what it does. */
type Examples = readonly (readonly [line: string, does: string])[];

const examplesByCommand = new WeakMap<Command, Examples>();

/** Ends the help of a command with examples. */
export function addExamples(command: Command, examples: Examples): Command {
  examplesByCommand.set(command, examples);
  return command.addHelpText('after', ({ command: shown }) => {
    const width = shown.configureOutput().getOutHelpWidth?.() ?? 80;
    const lines = examples.map(([line, does]) => exampleText(line, does, width));
    return `\nExamples:\n${lines.join('\n\n')}`;
  });
}

/** The examples of a command. */
export function examplesOf(command: Command): Examples {
  return examplesByCommand.get(command) ?? [];
}

/** Whether colour goes to a stream: a terminal that knows it, and nobody against it. */
export function wantsColour(stream: NodeJS.WriteStream, { color }: VoiceOptions, env: NodeJS.ProcessEnv): boolean {
  return stream.isTTY && color && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
}

/** Whether a job of continuous integration runs us: its log is read later, and by people. */
export function isContinuousIntegration({ CI }: NodeJS.ProcessEnv): boolean {
  return CI !== undefined && !['', '0', 'false'].includes(CI.toLowerCase());
}

/** Whether a terminal can show a line that changes. */
export function canSpin(env: NodeJS.ProcessEnv): boolean {
  return env['TERM'] !== 'dumb' && !isContinuousIntegration(env);
}
