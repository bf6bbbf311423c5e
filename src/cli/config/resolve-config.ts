// Decides which settings apply to one command: flags override environment variables, and these override the file; in
// the file a profile overrides the defaults, and a command's own section overrides the section around it.
import type { Command, Option } from 'commander';
import { CatalogError } from '../../core/errors.js';
import { nearest } from '../../core/text/text.js';
import { refuseUnsafe } from './folder-options.js';
import type { Config, ConfigSection, Setting } from './read-config.js';

/** A setting of the file that applies to a command. */
export interface Resolved {
  readonly setting: Setting;
  readonly option: Option;
  /** The source that overrides it. */
  readonly beatenBy?: string;
}

/** The target that was given for a command. */
interface ConfigTarget {
  readonly name: 'db' | 'remote';
  readonly value: unknown;
}

/** The settings of one section, with the target they are for. */
interface Layer {
  readonly settings: readonly Setting[];
  readonly target: ConfigTarget | undefined;
}

/** Options that exclude each other. */
const alternatives: readonly (readonly string[])[] = [
  ['db', 'remote'],
  ['apiKeyFile', 'apiKeyEnv'],
];

/**
 * Options that belong to a target and are not used with another one: a key must not be sent to a remote it was not
 * meant for.
 */
const ofTarget = new Set(['schema', 'caFile', 'allowHttp', 'apiKeyFile', 'apiKeyEnv']);

/** What a variable is beaten by where the chosen profile sets the same option, or its alternative; undefined where it counts. */
export function profileOver(name: string, found: readonly Resolved[]): string | undefined {
  const alike = alternatives.find((names) => names.includes(name)) ?? [name];
  return found.find(
    ({ setting, option, beatenBy }) =>
      beatenBy === undefined && setting.section.startsWith('profiles.') && alike.includes(option.attributeName()),
  )?.setting.section;
}

/** A command with its parent commands, except the program: `runs show` also has the options of `runs`. */
export function commandChain(command: Command): readonly Command[] {
  return command.parent === null ? [] : [...commandChain(command.parent), command];
}

/**
 * The settings that apply to a command, the strongest first. A profile that is typed is as strong as an option that is
 * typed: it beats environment variables, and they beat the defaults.
 * @throws CatalogError `usage` for an unknown profile, for one whose target the command does not support, and where the
 *   defaults of a folder's file set what they may not
 */
export function resolveConfig(
  config: Config,
  command: Command,
  { profile, env }: { readonly profile: string | undefined; readonly env: NodeJS.ProcessEnv },
): Resolved[] {
  const chain = commandChain(command);
  const path = chain.map((one) => one.name());
  const options = chain.flatMap((one) => one.options);
  const beaten = typedOptions(chain);
  const ofProfile = profile === undefined ? [] : layersOf(profileOf(config, profile), path);
  const ofDefaults = layersOf(config.defaults, path);
  const takes = (name: string) => options.some((option) => option.attributeName() === name);
  if (!beaten.has('db')) {
    refuseRemote(ofProfile, `Profile ${profile}`, takes);
    if (profile === undefined && targetOfVariables(chain, env) === undefined)
      refuseRemote(ofDefaults, `The configuration file ${config.file}`, takes);
  }
  const named = (layers: readonly Layer[]) => layers.map((layer) => layer.target).find((one) => one && takes(one.name));
  const target = typedTarget(chain) ?? named(ofProfile) ?? targetOfVariables(chain, env) ?? named(ofDefaults);
  const settle = (layer: Layer): Resolved[] => {
    const isForeign = layer.target !== undefined && target !== undefined && !isSame(layer.target, target);
    return layer.settings.flatMap((setting): Resolved[] => {
      const option = options.find((one) => concerns(one, setting));
      if (option === undefined) return [];
      const name = option.attributeName();
      const beatenBy = beaten.get(name) ?? (isForeign && ofTarget.has(name) ? `the ${target.name} in use` : undefined);
      if (beatenBy !== undefined) return [{ setting, option, beatenBy }];
      beat(beaten, name, setting.section);
      return [{ setting, option }];
    });
  };
  const chosen = ofProfile.flatMap(settle);
  for (const [name, variable] of variablesSet(options, env)) beat(beaten, name, variable);
  const found = [...chosen, ...ofDefaults.flatMap(settle)];
  const resolved = beaten.has('feed') ? found : found.map(withoutFeed);
  for (const { setting, beatenBy } of resolved) if (beatenBy === undefined) refuseUnsafe(config.file, setting);
  return resolved;
}

/** Options about a feed: the file may set them for imports that name one. */
const ofFeed = new Set(['maxChanged', 'maxCreated', 'maxMissing', 'maxPriceChange', 'missing', 'missingAfter']);

function withoutFeed(resolved: Resolved): Resolved {
  const { option, setting } = resolved;
  const name = option.attributeName();
  const isShare = name === 'maxRefused' && String(setting.value).endsWith('%');
  return ofFeed.has(name) || isShare ? { ...resolved, beatenBy: 'no feed is named' } : resolved;
}

function isSame(one: ConfigTarget, other: ConfigTarget): boolean {
  return one.name === other.name && one.value === other.value;
}

function beat(beaten: Map<string, string>, name: string, by: string): void {
  for (const one of alternatives.find((names) => names.includes(name)) ?? [name])
    if (!beaten.has(one)) beaten.set(one, by);
}

/**
 * Whether a setting is for this option and has a value the command accepts: `output: ndjson` does not apply to `info`.
 */
function concerns(option: Option, { name, value }: Setting): boolean {
  const long = (option.long ?? '').replace(/^--/, '');
  if (long !== name && !(option.negate && long === `no-${name}`)) return false;
  return option.argChoices === undefined || typeof value !== 'string' || option.argChoices.includes(value);
}

/** The options that are typed, each with its long name. */
function typedOptions(chain: readonly Command[]): Map<string, string> {
  const typed = new Map<string, string>();
  for (const one of chain)
    for (const option of one.options) {
      const name = option.attributeName();
      if (one.getOptionValueSource(name) === 'cli') beat(typed, name, option.long ?? name);
    }
  return typed;
}

/** The options that environment variables set, each with its variable. */
function variablesSet(options: readonly Option[], env: NodeJS.ProcessEnv): [string, string][] {
  return Object.entries(environmentOf).flatMap(([name, variables]): [string, string][] => {
    const variable = variables.find((one) => env[one] !== undefined);
    return variable !== undefined && options.some((one) => one.attributeName() === name) ? [[name, variable]] : [];
  });
}

/** Environment variables that correspond to options. */
export const environmentOf: Readonly<Record<string, readonly string[]>> = {
  db: ['CATALOG_DB'],
  remote: ['CATALOG_REMOTE'],
  apiKeyFile: ['CATALOG_API_KEY', 'CATALOG_API_KEY_FILE'],
};

function typedTarget(chain: readonly Command[]): ConfigTarget | undefined {
  for (const name of ['db', 'remote'] as const) {
    const typed = chain.find((one) => one.getOptionValueSource(name) === 'cli')?.getOptionValue(name);
    if (typed !== undefined) return { name, value: typed };
  }
  return undefined;
}

function targetOfVariables(chain: readonly Command[], env: NodeJS.ProcessEnv): ConfigTarget | undefined {
  for (const name of ['db', 'remote'] as const) {
    const value = env[environmentOf[name]?.[0] ?? ''];
    if (value !== undefined && chain.some((one) => one.options.some((option) => option.attributeName() === name)))
      return { name, value };
  }
  return undefined;
}

/** The sections that apply to a command, from the most specific to the most general. */
function layersOf(section: ConfigSection, path: readonly string[], around?: ConfigTarget): Layer[] {
  const own = section.settings.find(({ name }) => name === 'db' || name === 'remote');
  const target = own === undefined ? around : { name: own.name as ConfigTarget['name'], value: own.value };
  const [first = '', ...rest] = path;
  const inner = section.commands.get(first);
  return [...(inner === undefined ? [] : layersOf(inner, rest, target)), { settings: section.settings, target }];
}

/** @throws CatalogError `usage` for an unknown profile */
function profileOf({ file, profiles }: Config, name: string): ConfigSection {
  const found = profiles.get(name);
  if (found !== undefined) return found;
  const known = [...profiles.keys()];
  const near = nearest(name, known);
  const there = known.length === 0 ? 'It has no profiles.' : `It has ${known.slice(0, 20).join(', ')}.`;
  throw new CatalogError(
    'usage',
    `${file} has no profile "${name}". ${near === undefined ? there : `Did you mean ${near}?`}`,
  );
}

/** Settings for a remote must not silently fall back to ./catalog.db in a command that does not support remotes. */
function refuseRemote(layers: readonly Layer[], whose: string, takes: (name: string) => boolean): void {
  const target = layers.find((layer) => layer.target !== undefined)?.target;
  if (target?.name !== 'remote' || takes('remote') || !takes('db')) return;
  throw new CatalogError(
    'usage',
    `${whose} names a remote, and this command works on a local catalog. Name one with --db.`,
  );
}
