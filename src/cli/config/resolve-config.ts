// Decides which values apply to one command. What is typed beats the profile, which beats environment variables, and these
// beat the defaults; in a file, a command's own section beats the section around it. What the user's own defaults say of what an
// import may do beats what the file of a folder says; of how files are read, the folder knows more.
import type { Command, Option } from 'commander';
import { CatalogError } from '../../core/errors.js';
import { nearest } from '../../core/text/text.js';
import { shareOptions } from '../../importing/guards/guard-list.js';
import { rankOf, refuseUnsafe } from './folder-options.js';
import type { Config, OptionValue, Setting } from './read-config.js';

/** Sources in addition to the files. */
export interface OtherSources {
  readonly profile: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** A command with its parent commands, except the program: `runs show` also has the options of `runs`. */
export function commandChain(command: Command): readonly Command[] {
  return command.parent === null ? [] : [...commandChain(command.parent), command];
}

/** Options that exclude each other. */
const alternatives: readonly (readonly string[])[] = [
  ['db', 'remote'],
  ['apiKeyFile', 'apiKeyEnv'],
];

/** Options that count for the target of their section only: a key must not be sent to a remote it was not meant for. */
const ofTarget = new Set(['schema', 'caFile', 'allowHttp', 'apiKeyFile', 'apiKeyEnv']);

/** Options about a feed: the file may set them for imports that name one. */
const ofFeed = new Set<string>([
  ...shareOptions.map(({ limit }) => limit),
  ...['maxPriceChange', 'missing', 'missingAfter'],
]);

/** Environment variables that correspond to options. */
const variables: Readonly<Record<string, readonly string[]>> = {
  db: ['CATALOG_DB'],
  remote: ['CATALOG_REMOTE'],
  apiKeyFile: ['CATALOG_API_KEY', 'CATALOG_API_KEY_FILE'],
};

const isTarget = (name: string): boolean => name === 'db' || name === 'remote';

/**
 * The values that files and environment have for a command, the strongest first.
 * @param chain the command, after those it belongs to
 * @throws CatalogError `usage` for an unknown profile, for one whose target the command does not support, and where the
 *   defaults of a folder's file set what they may not
 */
export function resolveConfig(
  config: Config | undefined,
  chain: readonly Command[],
  { profile, env }: OtherSources,
): OptionValue[] {
  const options = chain.flatMap((one) => one.options);
  const path = chain.map((one) => one.name());
  const settings = settingsFor(config?.settings ?? [], path);
  const ofProfile = profile === undefined ? [] : settings.filter((one) => one.profile === profile);
  const ofDefaults = settings.filter((one) => one.profile === undefined).sort((a, b) => rankOf(a) - rankOf(b));
  const inFile = (one: Setting) => fileValue(one, options, originIn(config, one));
  const typed = typedValues(chain);
  const ofVariables = variableValues(options, env);
  const layers = [...typed.map((one) => [one]), ...ofProfile.map(inFile), ofVariables, ...ofDefaults.map(inFile)];
  if (config !== undefined && profile !== undefined) refuseUnknown(config, profile);
  const takes = (name: string) => options.some((option) => option.attributeName() === name);
  const isNamed = (values: readonly OptionValue[]) => values.some(({ option }) => isTarget(option.attributeName()));
  if (!isNamed(typed) && takes('db') && !takes('remote')) {
    if (profile !== undefined) refuseRemote(ofProfile);
    else if (!isNamed(ofVariables)) refuseRemote(ofDefaults);
  }
  const found = settle(layers, settings).slice(typed.length);
  for (const { setting, beatenBy } of found) if (setting !== undefined && beatenBy === undefined) refuseUnsafe(setting);
  return found;
}

/** Adds to each value what overrides it. */
function settle(layers: readonly (readonly OptionValue[])[], settings: readonly Setting[]): OptionValue[] {
  const all = layers.flat();
  const target = all.find(({ option }) => isTarget(option.attributeName()));
  const hasFeed = all.some(({ option }) => option.attributeName() === 'feed');
  const beaten = new Map<string, string>();
  const beatenBy = ({ option, setting }: OptionValue): string | undefined => {
    const name = option.attributeName();
    if (setting === undefined) return beaten.get(name);
    const isShare = name === 'maxRefused' && String(setting.value).endsWith('%');
    if (!hasFeed && (isShare || ofFeed.has(name))) return 'no feed is named';
    const own = ofTarget.has(name) ? targetOf(setting, settings) : undefined;
    const isForeign = own && target && (own.name !== target.option.name() || own.value !== target.value);
    return beaten.get(name) ?? (isForeign ? `the ${target.option.name()} in use` : undefined);
  };
  return layers.flatMap((layer) => {
    const settled = layer.map((one) => {
      const by = beatenBy(one);
      return by === undefined ? one : { ...one, beatenBy: by };
    });
    for (const { option, origin, beatenBy: by } of settled)
      for (const name of by === undefined ? alternativesOf(option) : [])
        if (!beaten.has(name)) beaten.set(name, origin);
    return settled;
  });
}

function alternativesOf(option: Option): readonly string[] {
  const name = option.attributeName();
  return alternatives.find((names) => names.includes(name)) ?? [name];
}

/** The settings that apply to a command, from the most specific section to the most general. */
function settingsFor(settings: readonly Setting[], path: readonly string[]): Setting[] {
  const applying = settings.filter((one) => one.path.every((name, i) => name === path[i]));
  return applying.sort((a, b) => b.path.length - a.path.length);
}

/** The target that a section names, or the section around it. */
function targetOf({ file, profile, path }: Setting, settings: readonly Setting[]): Setting | undefined {
  return settings.find(
    (one) => isTarget(one.name) && one.file === file && one.profile === profile && one.path.length <= path.length,
  );
}

/** A setting as the value of an option; none where the command lacks the option, or the value: `info` has no `output: ndjson`. */
function fileValue(setting: Setting, options: readonly Option[], origin: string): OptionValue[] {
  const { name, value } = setting;
  const option = options.find(
    (one) =>
      (one.name() === name || (one.negate && one.name() === `no-${name}`)) &&
      (one.argChoices === undefined || typeof value !== 'string' || one.argChoices.includes(value)),
  );
  return option === undefined ? [] : [{ option, value, origin, setting }];
}

/** The section of a setting; with its file, where there are two. */
function originIn(config: Config | undefined, { file, section }: Setting): string {
  return (config?.files.length ?? 0) > 1 ? `${section} of ${file}` : section;
}

function typedValues(chain: readonly Command[]): OptionValue[] {
  return chain.flatMap((one) =>
    one.options
      .filter((option) => one.getOptionValueSource(option.attributeName()) === 'cli')
      .map((option) => ({
        option,
        value: one.getOptionValue(option.attributeName()) as Setting['value'],
        origin: option.long ?? '',
      })),
  );
}

function variableValues(options: readonly Option[], env: NodeJS.ProcessEnv): OptionValue[] {
  return Object.entries(variables).flatMap(([name, origins]) => {
    const option = options.find((one) => one.attributeName() === name);
    return origins.flatMap((origin) => {
      const value = env[origin];
      return option === undefined || value === undefined ? [] : [{ option, value, origin }];
    });
  });
}

function refuseUnknown({ files, profiles }: Config, name: string): void {
  const having = profiles.filter((one) => one === name).length;
  if (having === 1) return;
  // Who types its name may mean either.
  if (having > 1)
    throw new CatalogError(
      'usage',
      `--profile ${name}: ${files[0]} in this folder has such a profile, and ${files[1]} has another. Give one of them another name.`,
    );
  const near = nearest(name, profiles);
  const there = profiles.length === 0 ? 'It has no profiles.' : `It has ${profiles.slice(0, 20).join(', ')}.`;
  throw new CatalogError(
    'usage',
    `${files.join(' or ')} has no profile "${name}". ${near === undefined ? there : `Did you mean ${near}?`}`,
  );
}

/** Settings for a remote must not silently fall back to ./catalog.db in a command that does not support remotes. */
function refuseRemote(settings: readonly Setting[]): void {
  const target = settings.find(({ name }) => isTarget(name));
  if (target?.name !== 'remote') return;
  const { file, profile } = target;
  const whose = profile === undefined ? `The configuration file ${file}` : `Profile ${profile}`;
  throw new CatalogError(
    'usage',
    `${whose} names a remote, and this command works on a local catalog. Name one with --db.`,
  );
}
