// `config`: shows which options the configuration file and the environment set, and where each value comes from.
import { Command, Option } from 'commander';
import { CatalogError } from '../../core/errors.js';
import { maskCredentials } from '../../core/text/mask-credentials.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { nearest } from '../../core/text/text.js';
import { textTable } from '../../reporting/formats/text-table.js';
import { type CommandEntry, defineCommand, idleProcess } from '../command-entry.js';
import { loadSectionSchema } from '../config/config-schema.js';
import { configName, findConfigs, userConfigPath } from '../config/find-config.js';
import { type Config, type OptionValue, readConfigs } from '../config/read-config.js';
import { commandChain, type OtherSources, resolveConfig } from '../config/resolve-config.js';
import { wrapText } from '../help-layout.js';
import { addExamples, chooseTarget } from '../options.js';
import { outputWidth } from '../output-width.js';

interface ConfigFlags {
  readonly profile?: string;
  readonly output: 'table' | 'json';
}

interface ConfigRow {
  readonly option: string;
  /** The command it applies to; undefined for every command that has the option. */
  readonly command?: string;
  readonly value: OptionValue['value'];
  readonly from: string;
  readonly file?: string;
  readonly section?: string;
  readonly line?: number;
  readonly variable?: string;
  readonly counts: boolean;
  readonly beaten_by?: string;
}

export function defineConfig(command: Command, process: NodeJS.Process, commands: readonly CommandEntry[]): void {
  command
    .description(
      `Shows which options ${configName} and the environment set, and where each comes from. A file in the working folder ` +
        'counts, and that of the user (~/.config/catalog-import/config.yaml). Options that are typed beat ' +
        'environment variables, and so does the profile that is typed; variables beat the defaults of the files.',
    )
    .argument('[command...]', 'only what counts for this command, with its own defaults')
    .option('--profile <name>', 'as if this profile were chosen')
    .addOption(new Option('--output <form>', 'form of the output').choices(['table', 'json']).default('table'));
  addExamples(command, [
    ['config', 'what the file and the environment say'],
    ['config products --profile erp', 'what counts for an import with a profile'],
    ['schema config > catalog-import.schema.json', 'the schema of the file, for an editor'],
  ]);
  command.action((words: readonly string[], flags: ConfigFlags) =>
    showConfig(words, flags, { command, process, commands }),
  );
}

interface ConfigContext {
  readonly command: Command;
  readonly process: NodeJS.Process;
  readonly commands: readonly CommandEntry[];
}

async function showConfig(
  words: readonly string[],
  { profile, output }: ConfigFlags,
  context: ConfigContext,
): Promise<void> {
  const { process, commands } = context;
  const { env, stdout } = process;
  const files = findConfigs(env);
  const config = files.length === 0 ? undefined : readConfigs(files, await loadSectionSchema(process, commands));
  const sources = { profile, env };
  const found =
    words.length === 0
      ? rowsOfAll(config, sources)
      : rowsOfCommand(config, await commandNamed(words, context), sources);
  const refused = targetFault(found, env);
  const rows = found.map((row) => (refused !== undefined && isTargetOfVariable(row) ? { ...row, counts: false } : row));
  stdout.write(
    output === 'json'
      ? asJson(rows, { config, profile, refused })
      : asTable(rows, { config, profile, refused, env, width: outputWidth(process) }),
  );
}

function isTargetOfVariable({ option, from, counts }: ConfigRow): boolean {
  return counts && from === 'environment' && (option === 'db' || option === 'remote');
}

/** Why every command refuses the target that the variables name: two of them, or a blank one. */
function targetFault(rows: readonly ConfigRow[], env: NodeJS.ProcessEnv): string | undefined {
  if (!rows.some(isTargetOfVariable)) return undefined;
  try {
    chooseTarget({}, env);
    return undefined;
  } catch (error) {
    if (error instanceof CatalogError) return error.message;
    throw error;
  }
}

/** A command with its definition loaded. @throws CatalogError `usage` where there is none of this name */
async function commandNamed(
  words: readonly string[],
  { command: own, process, commands }: ConfigContext,
): Promise<Command> {
  const program = own.parent ?? own;
  const [first = '', ...rest] = words;
  const entry = commands.find((one) => one.words.includes(first));
  let found = entry && program.commands.find((one) => one.name() === entry.words[0]);
  if (entry !== undefined && found !== undefined && found !== own) {
    await defineCommand(entry, found, idleProcess(process), commands);
  }
  for (const word of rest) found = found?.commands.find((one) => one.name() === word);
  if (found !== undefined && commandChain(found).length > 0) return found;
  const near = nearest(
    first,
    commands.flatMap((one) => one.words),
  );
  throw new CatalogError(
    'usage',
    `"${sanitizeText(words.join(' '))}" is not a command.${near === undefined || near === first ? '' : ` Did you mean ${near}?`}`,
  );
}

/** The options of one command that have a value, the strongest origin first. */
function rowsOfCommand(config: Config | undefined, command: Command, sources: OtherSources): ConfigRow[] {
  const rows = resolveConfig(config, commandChain(command), sources).map((one) => rowOf(one));
  const isSet = (name: string) => rows.some(({ option, beaten_by }) => option === name && beaten_by === undefined);
  const hasDb = command.options.some((option) => option.name() === 'db');
  const catalog = hasDb && !isSet('db') && !isSet('remote') ? [{ option: 'db', value: './catalog.db' }] : [];
  const defaults = command.options.flatMap((option) => {
    const value = shownDefault(option.defaultValue);
    return value === undefined || isSet(option.name()) ? [] : [{ option: option.name(), value }];
  });
  return [...rows, ...[...catalog, ...defaults].map((one) => ({ ...one, from: 'default', counts: true }))];
}

/** What environment and file set for all commands, then what the file sets for single ones. */
function rowsOfAll(config: Config | undefined, sources: OtherSources): ConfigRow[] {
  const { settings = [] } = config ?? {};
  const paths = new Map([
    ['', [] as readonly string[]],
    ...settings.map(({ path }) => [path.join(' '), path] as const),
  ]);
  return [...paths].flatMap(([name, path]) => {
    const end = new Command(path.at(-1) ?? 'any');
    for (const option of new Set(['db', 'remote', 'api-key-file', ...settings.map((one) => one.name)]))
      end.option(`--${option} <value>`);
    const found = resolveConfig(config, [...path.slice(0, -1).map((word) => new Command(word)), end], sources);
    if (path.length === 0) return found.map((one) => rowOf(one));
    return found.filter(({ setting }) => setting?.path.length === path.length).map((one) => rowOf(one, name));
  });
}

function rowOf({ option, value, origin, setting, beatenBy }: OptionValue, command?: string): ConfigRow {
  const isKey = origin === 'CATALOG_API_KEY';
  const shown =
    typeof value === 'boolean'
      ? value
      : typeof value === 'string'
        ? maskCredentials(value)
        : value.map(maskCredentials);
  return {
    option: isKey ? 'api-key' : (setting?.name ?? option.name()),
    ...(command !== undefined && { command }),
    value: isKey ? '(set)' : shown,
    ...(setting === undefined
      ? { from: 'environment', variable: origin }
      : { from: 'file', file: setting.file, section: setting.section, line: setting.line }),
    counts: beatenBy === undefined,
    ...(beatenBy !== undefined && { beaten_by: beatenBy }),
  };
}

function shownDefault(value: unknown): ConfigRow['value'] | undefined {
  if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return undefined;
  if (Array.isArray(value)) return value.map(String);
  return typeof value === 'boolean' ? value : String(value);
}

interface ConfigShown {
  readonly config: Config | undefined;
  readonly profile: string | undefined;
  /** Why every command refuses the target. */
  readonly refused: string | undefined;
}

function asJson(rows: readonly ConfigRow[], { config, profile, refused }: ConfigShown): string {
  const { files = [], profiles = [] } = config ?? {};
  const reported = {
    object: 'config',
    file: files[0] ?? null,
    files,
    profile: profile ?? null,
    profiles: [...new Set(profiles)],
    options: rows,
    ...(refused !== undefined && { refused }),
  };
  return `${JSON.stringify(reported, null, 2)}\n`;
}

function asTable(
  rows: readonly ConfigRow[],
  {
    config,
    profile,
    refused,
    env,
    width,
  }: ConfigShown & { readonly env: NodeJS.ProcessEnv; readonly width: number | undefined },
): string {
  const names = (config?.profiles ?? []).filter((name) => name !== profile);
  const head = [
    config === undefined
      ? `No configuration file: neither ${configName} in the working folder nor ${userConfigPath(env) ?? '~/.config/catalog-import/config.yaml'}.`
      : `file: ${sanitizeText(config.files.join(', '))}`,
    ...(profile === undefined ? [] : [`profile: ${profile}`]),
    ...(names.length === 0 ? [] : [`${profile === undefined ? '' : 'other '}profiles: ${names.join(', ')}`]),
  ];
  const about = wrapText(head.join('\n'), width ?? Number.POSITIVE_INFINITY, 2);
  if (rows.length === 0) return `${about}\n`;
  const lines = rows.map((row) => [
    row.command === undefined ? row.option : `${row.command}: ${row.option}`,
    sanitizeText(Array.isArray(row.value) ? row.value.join(', ') : String(row.value)),
    originOf(row, config),
    row.counts ? '' : row.beaten_by === undefined ? 'refused' : `not used: ${row.beaten_by} counts`,
  ]);
  const fault =
    refused === undefined ? '' : `\n${wrapText(`Refused: ${refused}`, width ?? Number.POSITIVE_INFINITY, 2)}\n`;
  return `${about}\n\n${textTable([['option', 'value', 'from', ''], ...lines], width)}${fault}`;
}

function originOf({ from, variable, file, section, line }: ConfigRow, config: Config | undefined): string {
  const isOfOther = file !== config?.files[0];
  if (from === 'file') return `${section}, line ${line}${isOfOther ? ` of ${sanitizeText(file ?? '')}` : ''}`;
  return variable ?? 'default';
}
