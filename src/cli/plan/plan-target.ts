// Shared by the commands of plans: they need a local catalog.
import { CatalogError } from '../../core/errors.js';
import { maskCredentials } from '../../core/text/mask-credentials.js';
import { chooseTarget, type TargetOptions } from '../options.js';

/** @throws CatalogError `usage` for a remote */
export function refuseRemotePlan(flags: TargetOptions, env: NodeJS.ProcessEnv): void {
  const target = chooseTarget(flags, env);
  if ('db' in target) return;
  throw new CatalogError(
    'usage',
    `${maskCredentials(target.remote)} is a remote, and a plan belongs to a local catalog. Run this command on the machine of the catalog, and name the catalog with --db. For a remote, ` +
      '--dry-run --diff shows what would change.',
  );
}

/** The options that name the catalog, as typed. */
export function targetWords({ db, schema, caFile }: TargetOptions): string[] {
  const typed = { '--db': db, '--schema': schema, '--ca-file': caFile };
  return Object.entries(typed).flatMap(([option, value]) => (value === undefined ? [] : [option, value]));
}
