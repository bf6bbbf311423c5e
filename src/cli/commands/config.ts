// `config`: shows which options the configuration file and the environment set, and where each value comes from.
import { type Command, Option } from 'commander';
import { CatalogError } from '../../core/errors.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { nearest } from '../../core/text/text.js';
import { type ConfigRow, rowsOfAll, rowsOfCommand } from '../config/effective-options.js';
import { configName, findConfig, userConfigPath } from '../config/find-config.js';
import { loadOptionIndex } from '../config/option-index.js';
import { type Config, readConfig } from '../config/read-config.js';
import { commandChain } from '../config/resolve-config.js';
import { aligned } from '../ledger-target.js';
import { addExamples } from '../options.js';

interface ConfigFlags {
  readonly profile?: string;
  readonly output: 'table' | 'json';
}

/** Describes the command. */
export function defineConfig(command: Command, process: NodeJS.Process): void {
  command
    .description(
      `Shows which options ${configName} and the environment set, and where each comes from. The file is looked for in the ` +
        'working folder, then in the folder of the user (~/.config/catalog-import/config.yaml). Options that are typed beat ' +
        'environment variables, and so does the profile that is typed; variables beat the defaults of the file.',
    )
    .argument('[command...]', 'only what counts for this command, with its own defaults')
    .option('--profile <name>', 'as if this profile were chosen')
    .addOption(new Option('--output <form>', 'form of the output').choices(['table', 'json']).default('table'));
  addExamples(command, [
    ['config', 'what the file and the environment say'],
    ['config products --profile erp', 'what counts for an import with a profile'],
    ['schema config > catalog-import.schema.json', 'the schema of the file, for an editor'],
  ]);
  command.action((words: readonly string[], flags: ConfigFlags) => showConfig(words, flags, { command, process }));
}

async function showConfig(
  words: readonly string[],
  { profile, output }: ConfigFlags,
  { command, process }: { readonly command: Command; readonly process: NodeJS.Process },
): Promise<void> {
  const { env, stdout } = process;
  const file = findConfig(env);
  const commands = await loadOptionIndex(process);
  const config = file === undefined ? undefined : readConfig(file, commands);
  const asked = { profile, env };
  const rows =
    words.length === 0
      ? rowsOfAll(config, commands, asked)
      : rowsOfCommand(config, await commandNamed(words, command, process), asked);
  stdout.write(output === 'json' ? asJson(rows, { config, profile }) : asTable(rows, { config, profile, env }));
}

/** A command with its definition loaded. @throws CatalogError `usage` where there is none of this name */
async function commandNamed(words: readonly string[], own: Command, process: NodeJS.Process): Promise<Command> {
  const { commands, defineCommand } = await import('../command-list.js');
  const program = own.parent ?? own;
  const [first = '', ...rest] = words;
  const entry = commands.find((one) => one.words.includes(first));
  let found = entry && program.commands.find((one) => one.name() === entry.words[0]);
  if (entry !== undefined && found !== undefined && found !== own) {
    const idle = Object.create(process, { argv: { value: [] } }) as NodeJS.Process;
    await defineCommand(entry, found, idle);
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

function asJson(
  rows: readonly ConfigRow[],
  { config, profile }: { readonly config: Config | undefined; readonly profile: string | undefined },
): string {
  const options = rows.map(({ beatenBy, ...row }) => ({ ...row, counts: beatenBy === undefined, beaten_by: beatenBy }));
  const profiles = [...(config?.profiles.keys() ?? [])];
  const reported = { object: 'config', file: config?.file ?? null, profile: profile ?? null, profiles, options };
  return `${JSON.stringify(reported, null, 2)}\n`;
}

function asTable(
  rows: readonly ConfigRow[],
  {
    config,
    profile,
    env,
  }: { readonly config: Config | undefined; readonly profile: string | undefined; readonly env: NodeJS.ProcessEnv },
): string {
  const names = [...(config?.profiles.keys() ?? [])].filter((name) => name !== profile);
  const head = [
    config === undefined
      ? `No configuration file: neither ${configName} in the working folder nor ${userConfigPath(env) ?? '~/.config/catalog-import/config.yaml'}.`
      : `file: ${sanitizeText(config.file)}`,
    ...(profile === undefined ? [] : [`profile: ${profile}`]),
    ...(names.length === 0 ? [] : [`${profile === undefined ? '' : 'other '}profiles: ${names.join(', ')}`]),
  ];
  if (rows.length === 0) return `${head.join('\n')}\n`;
  const lines = rows.map((row) => [
    row.command === undefined ? row.option : `${row.command}: ${row.option}`,
    sanitizeText(Array.isArray(row.value) ? row.value.join(', ') : String(row.value)),
    originOf(row),
    row.beatenBy === undefined ? '' : `not used: ${row.beatenBy} counts`,
  ]);
  return `${head.join('\n')}\n\n${aligned([['option', 'value', 'from', ''], ...lines])}`;
}

function originOf({ from, variable, section, line }: ConfigRow): string {
  if (from === 'file') return `${section}, line ${line}`;
  return variable ?? 'default';
}
