// Shared by the commands of the ledger: they need a local catalog, and refer to runs by number.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CatalogError } from '../core/errors.js';
import { parseSince, sinceForms } from '../core/reading/parse-since.js';
import { maskCredentials } from '../core/text/mask-credentials.js';
import type { Ledger } from '../store/ledger/ledger.js';
import type { LedgerRun } from '../store/ledger/runs.js';
import type { LocalCatalog } from '../store/open.js';
import { addLocalOption, chooseTarget, openLocal, type TargetOptions } from './options.js';

/** Adds `--db`; `--remote` is accepted, to be refused with a helpful message. */
export function addLedgerOption(command: Command): Command {
  return addLocalOption(command).addOption(new Option('--remote <url>').hideHelp());
}

/**
 * Opens the catalog of the ledger, and closes it afterwards.
 * @param use `scratch`: writes are discarded; `create`: a missing catalog is created
 * @throws CatalogError `usage` for a remote
 */
export async function withLedger<T>(
  flags: TargetOptions,
  env: NodeJS.ProcessEnv,
  work: (ledger: Ledger, catalog: LocalCatalog) => Promise<T>,
  use: { readonly scratch?: boolean; readonly create?: boolean } = {},
): Promise<T> {
  const target = chooseTarget(flags, env);
  if ('remote' in target)
    throw new CatalogError(
      'usage',
      `${maskCredentials(target.remote)} is a remote, whose history is kept with its catalog. Run this command on the machine of the catalog, and name the catalog with --db.`,
    );
  const catalog = await openLocal(flags, env, { create: false, ...use });
  try {
    return await work(await catalog.ledger(), catalog);
  } finally {
    await catalog.close();
  }
}

export function parseRunNumber(value: string): number {
  if (/^[1-9]\d{0,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('Use the number of a run; catalog-import runs lists them.');
}

/** @throws CatalogError `not_found` for a run that never existed, or whose history was deleted */
export function findRun(runs: readonly LedgerRun[], number: number): LedgerRun {
  const found = runs.find((run) => run.number === number);
  if (found !== undefined) return found;
  throw new CatalogError(
    'not_found',
    `Run ${number} not found: it never was, or is kept no longer. catalog-import runs lists those that are.`,
  );
}

/** Parses a point in time: `7d`, a date, or Unix seconds. */
export function parseTime(value: string): number {
  const time = parseSince(value, Math.floor(Date.now() / 1000));
  if (time === undefined) throw new InvalidArgumentError(`Use ${sinceForms}.`);
  return time;
}

const longest = 60;

/** A value of a field in a line of text. @param names what the record is called that the value refers to */
export function shownValue(value: unknown, names: ReadonlyMap<string, string>): string {
  if (value === undefined) return '(changed since)';
  const text = typeof value === 'string' ? (names.get(value) ?? value) : JSON.stringify(value);
  if (text === '') return "''";
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
