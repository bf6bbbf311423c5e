// `doctor`: checks a catalog: SQLite's own checks, references, indexes, files next to it, permissions, and expiring
// keys.
import type { Command } from 'commander';
import type { ApiKey } from '../../../core/api-key.js';
import { sanitizeLines } from '../../../core/text/sanitize.js';
import { isPostgresAddress } from '../../../store/catalog-path.js';
import type { CheckResult } from '../../../store/sqlite/file/check-catalog.js';
import { failureExitCodes } from '../../exit-codes.js';
import { wrapText } from '../../help-layout.js';
import {
  addExamples,
  addLocalOption,
  addResultOptions,
  type LocalOptions,
  localFile,
  openLocal,
  type ResultFlags,
} from '../../options.js';
import { outputWidth } from '../../output-width.js';

type DoctorFlags = LocalOptions & ResultFlags;

/** A key that expires within this many days is reported. */
const soon = 14;

export function defineDoctor(command: Command, process: NodeJS.Process): void {
  addLocalOption(
    command.description(
      'Checks a catalog and changes nothing: that the file is sound, that everything it refers to is there, indexes, files left ' +
        'next to it, rights, and keys that expire soon. Exit code 0 where nothing is wrong (hints may be shown), 7 where something is.',
    ),
  ).action((flags: DoctorFlags) => examine(flags, process));
  addResultOptions(command, 'action');
  addExamples(command, [
    ['doctor', 'check ./catalog.db'],
    ['doctor --db shop.db --output json', 'for a monitor'],
  ]);
}

async function examine(flags: DoctorFlags, process: NodeJS.Process): Promise<void> {
  const results = await check(flags, process);
  const isSound = results.every(({ level }) => level !== 'problem');
  const isQuiet = flags.quiet === true && results.every(({ level }) => level === 'ok');
  if (isQuiet) return;
  process.stdout.write(
    flags.output === 'json'
      ? `${JSON.stringify({ sound: isSound, checks: results }, null, 2)}\n`
      : table(results, process),
  );
  if (!isSound) process.exitCode = failureExitCodes.catalog_unusable;
}

async function check(flags: DoctorFlags, { env }: NodeJS.Process): Promise<readonly CheckResult[]> {
  const file = localFile(flags, env);
  let found: readonly CheckResult[] = [];
  if (!isPostgresAddress(file)) {
    const { checkCatalogFile } = await import('../../../store/sqlite/file/check-catalog.js');
    found = await checkCatalogFile(file, 30_000);
    // A damaged file must not be opened for writing, and an older one must not be migrated.
    if (found.some(({ check: name, level }) => level === 'problem' || (name === 'tables' && level === 'hint')))
      return found;
  }
  const catalog = await openLocal(flags, env, { create: false });
  try {
    return [...found, checkKeys(await (await catalog.keys()).list(), Date.now() / 1000)];
  } finally {
    await catalog.close();
  }
}

/** Keys that expire soon, or that have expired and were not revoked. */
function checkKeys(keys: readonly ApiKey[], now: number): CheckResult {
  const details = keys.flatMap(({ id, name, expiresAt, revokedAt }) => {
    if (expiresAt === null || revokedAt !== null || expiresAt > now + soon * 86_400) return [];
    const day = new Date(expiresAt * 1000).toISOString().slice(0, 10);
    const state = expiresAt <= now ? 'expired' : 'expires';
    return [`Key ${id} (${name}) ${state} on ${day}. Make another one with keys create, and revoke this one.`];
  });
  return { check: 'keys', level: details.length === 0 ? 'ok' : 'hint', details };
}

const marks = { ok: 'ok', hint: 'hint', problem: 'PROBLEM' } as const;

/** Each check, with its details below it. */
function table(results: readonly CheckResult[], process: NodeJS.Process): string {
  const columns = outputWidth(process) ?? Number.POSITIVE_INFINITY;
  const width = Math.max(...results.map(({ check: name }) => name.length), 'check'.length);
  const lines = results.flatMap(({ check: name, level, details }) => [
    `${name.padEnd(width)}  ${marks[level]}`,
    ...details.map((text) => wrapText(`  ${sanitizeLines(text)}`, columns, 2)),
  ]);
  return [`${'check'.padEnd(width)}  result`, ...lines].map((line) => `${line}\n`).join('');
}
