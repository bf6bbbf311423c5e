// The options of every importing command, and their conversion for the source and the report.
import { type Command, InvalidArgumentError, Option } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { type OnlyAction, onlyActions } from '../../../core/only-action.js';
import { type DuplicatePolicy, duplicatePolicies } from '../../../importing/request.js';
import { type Selection, selections } from '../../../reporting/formats/report-form.js';
import { type FormOption, formOptions, type GivenFormOptions } from '../../../source/form-options.js';
import type { MappingSection } from '../../../source/mapping/mapping.js';
import type { SourceOptions } from '../../../source/open-source.js';
import { hideIdleOptions } from '../../idle-options.js';
import {
  addLocalOption,
  addOutputOptions,
  addTargetOptions,
  type ConfiguredOptions,
  given,
  type TargetOptions,
  type VoiceOptions,
  wholeNumber,
} from '../../options.js';
import { addForwardOptions } from '../../remote.js';
import { repeated } from '../../shared-options.js';
import { type AddressFlags, addAddressOptions } from '../../sources/address-options.js';
import { type OnEndReason, onEndWhen } from '../on-end.js';
import { type FailOn, failOn } from './fail-on.js';
import { addFeedOptions, type FeedFlags, refusedLimit } from './feed-options.js';
import { addFormatOption, addPlaceOptions } from './file-options.js';
import { groupOptions } from './help-groups.js';

/** Options about reading a file, as typed. */
interface SourceFlags {
  readonly format?: NonNullable<SourceOptions['format']>;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly decimal?: '.' | ',';
  readonly empty?: 'skip' | 'clear';
  readonly rename?: readonly string[];
  readonly set?: readonly string[];
  readonly limit?: number;
  readonly map?: string;
  readonly sheet?: string;
  readonly record?: string;
  readonly items?: string;
  readonly skip?: number;
}

export interface ImportFlags
  extends SourceFlags,
    AddressFlags,
    ConfiguredOptions,
    FeedFlags,
    TargetOptions,
    VoiceOptions {
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly output: 'table' | 'json' | 'ndjson';
  readonly report?: Selection;
  readonly reportFile?: readonly string[];
  readonly statusFile?: string;
  readonly onEnd?: string;
  readonly onEndWhen?: readonly OnEndReason[];
  readonly failOn?: FailOn;
  readonly refusedFile?: string;
  readonly writeMissingValues?: string;
  readonly onDuplicate?: DuplicatePolicy;
  readonly only?: OnlyAction;
  readonly progress?: boolean;
  readonly resume?: boolean;
  readonly changedOnly?: boolean;
  readonly full?: boolean;
}

/**
 * Adds the options of an import and of its target, in the groups of the help.
 * @param remote whether the target may be a remote
 */
export function addImportOptions(command: Command, { remote }: { readonly remote: boolean }): Command {
  addOutputOptions(addReportOptions(addFeedOptions(addSourceOptions(command))));
  if (remote) addForwardOptions(addTargetOptions(command));
  else addLocalOption(command);
  addAddressOptions(command);
  return hideIdleOptions(groupOptions(command));
}

function addSourceOptions(command: Command): Command {
  const pairs = (value: string, before: readonly string[] = []): string[] => [...before, pair(value)];
  addFormatOption(command)
    .option(
      '--encoding <name>',
      'encoding of the file, such as windows-1252 (default: its byte order mark or XML declaration, else UTF-8; inspect finds others)',
    )
    .option('--delimiter <character>', 'separator of cells: , ; | or tab (default: found by the content)')
    .addOption(
      new Option('--decimal <sign>', 'decimal sign of numbers; with , 1.234,50 is read (default: .)').choices([
        '.',
        ',',
      ]),
    )
    .addOption(
      new Option(
        '--empty <meaning>',
        'an empty cell means: field not sent (skip), or cleared (clear) (default: skip)',
      ).choices(['skip', 'clear']),
    )
    .addOption(
      repeated(
        new Option('--rename <column=field>', 'read this column as this field; may be repeated').argParser(pairs),
      ),
    )
    .addOption(
      repeated(new Option('--set <field=value>', 'give every item this value; may be repeated').argParser(pairs)),
    );
  return addPlaceOptions(command, '0')
    .option('--map <file>', 'a mapping file, YAML or JSON: how columns become fields', given)
    .option('--limit <n>', 'read the first n records only (default: all)', wholeNumber);
}

export function addReportFile(command: Command): Command {
  return command.addOption(
    repeated(
      new Option(
        '--report-file <path>',
        'write a report to this file: every line as .ndjson, .json or .csv, or a page to look at as .html; ' +
          '{feed}, {run}, {date} and {time} are filled in; may be repeated',
      ).argParser((path: string, before: readonly string[] = []) => [...before, given(path)]),
    ),
  );
}

/** Adds the options of the files that tell how a run went. */
export function addReportFiles(command: Command): Command {
  return addReportFile(command).option(
    '--status-file <path>',
    'write how the run ended to this file, as metrics for Prometheus (.prom)',
    given,
  );
}

/** Adds the options of the report: its format, its lines, and its files. */
export function addLineOptions(command: Command): Command {
  command
    .addOption(
      new Option('--output <form>', 'form of the report').choices(['table', 'json', 'ndjson']).default('table'),
    )
    .addOption(
      new Option(
        '--report <lines>',
        'lines to report: all, changed (all but unchanged), refused, none (default: refused in a table, else all)',
      ).choices(selections),
    );
  return addReportFiles(command)
    .option(
      '--on-end <command>',
      'run this command in a shell when the run has ended, with its result as JSON on stdin',
      given,
    )
    .addOption(
      new Option(
        '--on-end-when <reasons>',
        'only after a failure (any exit code but 0), a warning or a change, such as failure,warning (default: after every run)',
      ).argParser(onEndWhen),
    )
    .option(
      '--fail-on <codes>',
      'end with 3 where a warning of these codes was noticed, such as column_vanished,file_repeated; warnings for any',
      failOn,
    );
}

function addReportOptions(command: Command): Command {
  command
    .option('-n, --dry-run', 'write nothing; report what would happen')
    .option('--diff', 'report each field that changes, with both values');
  return addLineOptions(command)
    .option(
      '--refused-file <path>',
      'write refused records here, to correct and import again: a file, or a folder with a file for each source ' +
        '(refused.csv, refused/)',
      given,
    )
    .option(
      '--write-missing-values <file>',
      'write a file of characteristics that adds the values missing from closed lists',
    )
    .addOption(
      new Option(
        '--on-duplicate <row>',
        'rows that share a key: apply all so that the last wins, only the last, only the first, or none (default: last)',
      ).choices(duplicatePolicies),
    )
    .addOption(
      new Option(
        '--only <action>',
        'only update records that exist, or only create others; the rest is left out with a notice (default: do both)',
      ).choices(onlyActions),
    )
    .option(
      '--max-refused <n>',
      'stop before the batch that would exceed n refused items; as a share, such as 2%, with --feed before the first write (default with --feed: 20% more than in the last run)',
      refusedLimit,
    )
    .option('--progress', 'print the progress every 30 s where there is no terminal');
}

function pair(value: string): string {
  if (!/[^=]=/.test(value)) throw new InvalidArgumentError('Use name=value, such as "Art. Nr.=sku" or currency=EUR.');
  return value;
}

/** The settings for reading `file`, from the options and then from a mapping. */
export function sourceOptions(file: string, flags: SourceFlags, mapped?: MappingSection): SourceOptions {
  const { empty, limit } = flags;
  const { format, encoding, decimal, delimiter, sheet, record, items, skip } = { ...mapped?.read, ...flags };
  return {
    file,
    mustFit: givenFormOptions(flags, mapped),
    ...(format && { format }),
    ...(sheet !== undefined && { sheet }),
    ...(record !== undefined && { record }),
    ...(items !== undefined && { items }),
    ...(skip !== undefined && { skip }),
    ...(encoding !== undefined && { encoding }),
    ...(delimiter !== undefined && { delimiter: delimiterOf(delimiter) }),
    ...(decimal && { decimal }),
    ...(mapped && { mapped: { ...mapped, read: { ...mapped.read, ...(decimal && { decimal }) } } }),
    ...(empty && { empty }),
    ...(limit !== undefined && { limit }),
    // A column's name may contain =, a field's name cannot; with a constant it is the other way round.
    ...(flags.rename && { rename: pairs(flags.rename, (text) => text.lastIndexOf('='), '--rename') }),
    ...(flags.set && { set: pairs(flags.set, (text) => text.indexOf('='), '--set') }),
  };
}

/**
 * The options about the form of a file that are meant for this one: typed, or in the mapping. The configuration file has
 * defaults for all files.
 */
export function givenFormOptions(
  flags: Readonly<Partial<Record<FormOption, unknown>>> & ConfiguredOptions,
  mapped?: MappingSection,
): GivenFormOptions {
  const given: Partial<Record<FormOption, string>> = {};
  const read: Readonly<Partial<Record<FormOption, unknown>>> = mapped?.read ?? {};
  for (const option of formOptions) {
    if (flags[option] === undefined && read[option] !== undefined) given[option] = `read: {${option}} of the mapping`;
    else if (flags[option] !== undefined && flags.configured?.includes(option) !== true) given[option] = `--${option}`;
  }
  if (mapped?.section.sheet !== undefined) given.sheet = 'sheet: of the mapping';
  return given;
}

function delimiterOf(typed: string): string {
  if (typed === 'tab' || typed === '\\t') return '\t';
  if (typed.length === 1) return typed;
  throw new CatalogError('usage', `--delimiter ${typed} is not a single character; use , ; | or tab.`);
}

function pairs(typed: readonly string[], split: (text: string) => number, option: string): ReadonlyMap<string, string> {
  const map = new Map<string, string>();
  for (const text of typed) {
    const at = split(text);
    const name = text.slice(0, at).trim();
    if (map.has(name)) throw new CatalogError('usage', `${option} names ${name} twice; give it once.`);
    map.set(name, text.slice(at + 1));
  }
  return map;
}
