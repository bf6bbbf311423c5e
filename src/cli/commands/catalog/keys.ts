// `keys`: API keys of the server. A key is shown once, when it is created, alone on stdout.
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ApiKey } from '../../../core/api-key.js';
import { CatalogError } from '../../../core/errors.js';
import { resources } from '../../../core/resources/index.js';
import { sanitizeText } from '../../../core/text/sanitize.js';
import { nearest } from '../../../core/text/text.js';
import { textTable } from '../../../reporting/formats/text-table.js';
import { shownTime } from '../../../reporting/shown-time.js';
import {
  addExamples,
  addLocalOption,
  addResultOptions,
  type LocalOptions,
  lifetime,
  openLocal,
  printDone,
  type ResultFlags,
} from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { resourceByWord } from '../../resource-argument.js';
import { repeated } from '../../shared-options.js';

interface KeyFlags extends LocalOptions, ResultFlags {}

interface CreateOptions extends KeyFlags {
  readonly name: string;
  readonly scope?: readonly string[];
  readonly all?: boolean;
  readonly expires?: number;
}

const allScopes = resources.flatMap(({ name }) => [`${name}:read`, `${name}:write`]);

export function defineKeys(command: Command, process: NodeJS.Process): void {
  command.description('Creates, lists and revokes API keys. They are stored in the catalog.');
  const create = addLocalOption(command.command('create').description('create a key; it is printed once, on stdout'))
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(
      repeated(
        new Option('--scope <scope>', 'scope such as product:write; may be repeated, or a comma list').argParser(
          addScopes,
        ),
      ),
    )
    .option('--all', 'all ten scopes')
    .option('--expires <time>', 'how long it is valid: 90d, 12h, 30m, 45s (default: until it is revoked)', lifetime)
    .action((options: CreateOptions) => createKey(options, process));
  addResultOptions(create, 'query');
  const list = addLocalOption(command.command('list').description('list the keys, without their secrets')).action(
    (options) => listKeys(options, process),
  );
  const revoke = addLocalOption(
    command.command('revoke').description('revoke a key permanently; running servers notice within a second'),
  )
    .argument('<id>', 'the 8 characters after cik_ (with or without it)')
    .action((id: string, options) => revokeKey(id, options, process));
  addResultOptions(list, 'query');
  addResultOptions(revoke, 'action');
  addExamples(create, [
    ['keys create --name erp --scope product:write,product:read', 'a key for the ERP'],
    ['keys create --name trial --all --expires 90d', 'a key for everything, for 90 days'],
  ]);
  addExamples(command, [['keys create --name erp --scope product:write', 'a key for the ERP']]);
  addExamples(list, [['keys list --db shop.db', 'who may ask']]);
  addExamples(revoke, [['keys revoke 4fJx9QaZ', 'shut one out']]);
}

function addScopes(value: string, before: readonly string[] = []): readonly string[] {
  const added = value.split(',').map((scope) => namedScope(scope.trim()));
  for (const scope of added) {
    if (allScopes.includes(scope)) continue;
    const near = nearest(scope, allScopes);
    throw new InvalidArgumentError(near === undefined ? `There are: ${allScopes.join(', ')}.` : `Is ${near} meant?`);
  }
  return [...before, ...added];
}

/** A scope by its name in the interface: `groups:write` is `product_group:write`. */
function namedScope(scope: string): string {
  const [, word = '', right = ''] = /^([^:]+):(.+)$/.exec(scope) ?? [];
  const resource = resourceByWord(word, resources);
  return resource === undefined ? scope : `${resource.name}:${right}`;
}

async function createKey(options: CreateOptions, process: NodeJS.Process): Promise<void> {
  const scopes = options.all ? allScopes : [...new Set(options.scope)];
  if (scopes.length === 0) {
    throw new CatalogError('usage', 'A key needs a scope: --scope product:write (repeatable), or --all.');
  }
  if (options.all && options.scope !== undefined)
    throw new CatalogError('usage', '--all gives the key every scope; leave out --all or --scope.');
  const catalog = await openLocal(options, process.env, { create: true });
  try {
    const expiresAt = options.expires === undefined ? null : Math.floor(Date.now() / 1000) + options.expires;
    const keys = await catalog.keys();
    const { id, text } = await keys.create({ name: options.name, scopes, expiresAt });
    if (options.quiet !== true) process.stderr.write(`Key ${id} may: ${scopes.join(' ')}. It is not shown again.\n`);
    const json = { object: 'api_key', id, key: text, name: options.name, scopes, expires_at: expiresAt };
    process.stdout.write(options.output === 'json' ? `${JSON.stringify(json)}\n` : `${text}\n`);
  } finally {
    await catalog.close();
  }
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'active';
  const date = shownTime(expiresAt);
  return expiresAt * 1000 <= Date.now() ? `expired ${date}` : `until ${date}`;
}

function keyJson({ id, name, scopes, expiresAt, revokedAt }: ApiKey) {
  return { object: 'api_key', id, name, scopes, expires_at: expiresAt, revoked_at: revokedAt };
}

async function listKeys(options: KeyFlags, process: NodeJS.Process): Promise<void> {
  const catalog = await openLocal(options, process.env, { create: false });
  try {
    const store = await catalog.keys();
    const keys = await store.list();
    if (options.output === 'json') return void process.stdout.write(`${JSON.stringify(keys.map(keyJson), null, 2)}\n`);
    if (keys.length === 0 && options.quiet !== true) process.stderr.write('No keys yet; `keys create` makes one.\n');
    if (keys.length === 0) return;
    const rows = keys.map((key) => [key.id, stateOf(key), sanitizeText(key.name), key.scopes.join(' ')]);
    process.stdout.write(textTable([['key', 'state', 'name', 'may'], ...rows], outputWidth(process)));
  } finally {
    await catalog.close();
  }
}

async function revokeKey(id: string, options: KeyFlags, process: NodeJS.Process): Promise<void> {
  const catalog = await openLocal(options, process.env, { create: false });
  try {
    const keys = await catalog.keys();
    const known = await keys.revoke(id.replace(/^cik_/, ''));
    if (!known) throw new CatalogError('not_found', 'Key not found; `keys list` shows the identifiers of all keys.');
    const json = { object: 'api_key', id: id.replace(/^cik_/, ''), revoked: true };
    printDone(process, options, { words: 'Revoked.', json });
  } finally {
    await catalog.close();
  }
}
