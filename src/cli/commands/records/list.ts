// `list`: records of a resource as a table, JSON, NDJSON or CSV; of a local catalog or of a remote.
import { type Command, Option } from 'commander';
import type { Catalog } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import type { ReadShape } from '../../../core/import-report.js';
import { sinceForms } from '../../../core/reading/parse-since.js';
import {
  type FieldCondition,
  type RecordPredicate,
  recordConditions,
} from '../../../core/reading/record-conditions.js';
import type { Resource } from '../../../core/resource.js';
import { resources } from '../../../core/resources/index.js';
import { streamWriter } from '../../../reporting/formats/stream-writer.js';
import { recordPages } from '../../../store/record-pages.js';
import { addIncludeOption, includedDetails } from '../../included-details.js';
import { parseTime } from '../../ledger-target.js';
import { branchOf, namesBranch } from '../../list/branch-conditions.js';
import { type ListForm, listForms, listWriter } from '../../list/list-writer.js';
import { addExamples, addQuiet, addTargetOptions, openTarget, type TargetOptions, wholeNumber } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { waitNotices } from '../../remote.js';
import { parseResource } from '../../resource-argument.js';
import { repeated } from '../../shared-options.js';
import { noticePrinter } from '../../terminal-output.js';

interface ListFlags extends TargetOptions {
  readonly where?: readonly string[];
  readonly status?: string;
  readonly changedSince?: number;
  readonly limit?: number;
  readonly include?: string;
  readonly output: ListForm;
  readonly quiet?: boolean;
}

/** Records that a table shows when no limit is given. */
const usualTable = 50;
export function defineList(command: Command, process: NodeJS.Process): void {
  command
    .description('Lists records of a resource with the names of what they refer to, deleted ones too.')
    .argument('<resource>', resources.map((resource) => resource.command).join(', '))
    .addOption(
      repeated(
        new Option(
          '--where <field=value>',
          'only records with this value; may be repeated. A group by name or identifier; a category also by path, with its subcategories',
        ).argParser(collect),
      ),
    )
    .option('--status <status>', 'only records with this status')
    .option('--changed-since <time>', `only records that changed since: ${sinceForms}`, parseTime)
    .option('--limit <n>', `most records (default: ${usualTable} for a table, else all)`, wholeNumber)
    .addOption(new Option('--output <form>', 'form of the list').choices(listForms).default('table'));
  addTargetOptions(addQuiet(addIncludeOption(command), 'query'), 'read from');
  addExamples(command, [
    ['list products --where category=Phones --status activated', 'the activated products of a category'],
    ['list reviews --changed-since 7d --output json', 'reviews that changed in the last seven days'],
    ['list products --include lowest_price_30d', 'with the lowest price of the 30 days before each reduction'],
    ['list products --output csv > products.csv', 'all products, for a spreadsheet'],
  ]);
  command.action((word: string, flags: ListFlags) => list(parseResource(word, resources), flags, process));
}

function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** @throws CatalogError `usage` where a condition has no value, or cannot be asked of this resource */
function conditionsOf(resource: Resource, { where = [], status }: Pick<ListFlags, 'where' | 'status'>) {
  const conditions = where.map((text): FieldCondition => {
    const middle = text.indexOf('=');
    if (middle < 0)
      throw new CatalogError('usage', `--where ${text} is not field=value, for example --where status=draft.`);
    return { field: text.slice(0, middle).trim(), value: text.slice(middle + 1) };
  });
  if (status !== undefined) conditions.push({ field: 'status', value: status });
  predicateOf(resource, conditions);
  return conditions;
}

function predicateOf(resource: Resource, conditions: readonly FieldCondition[]): RecordPredicate {
  const wanted = recordConditions(resource, conditions);
  if (typeof wanted === 'function') return wanted;
  throw new CatalogError('usage', `${wanted.field}=${wanted.value}: ${wanted.fault}`);
}

/** A predicate that all conditions must match. A category includes its subcategories, which are looked up; a notice says so. */
async function wantedIn(
  catalog: Catalog,
  { resource, conditions }: { readonly resource: Resource; readonly conditions: readonly FieldCondition[] },
  say: (words: string) => void,
): Promise<RecordPredicate> {
  const ofBranch = conditions.filter((condition) => namesBranch(resource, condition));
  const tests = [
    predicateOf(
      resource,
      conditions.filter((condition) => !ofBranch.includes(condition)),
    ),
  ];
  for (const condition of ofBranch) {
    const { isWanted, notice } = await branchOf(catalog, condition);
    if (notice !== undefined) say(notice);
    tests.push(isWanted);
  }
  return (record) => tests.every((test) => test(record));
}

/** Matching records, page by page, up to a limit. */
async function* listed(
  catalog: Catalog,
  resource: Resource,
  {
    wanted,
    limit,
    include,
    updatedSince,
  }: {
    readonly wanted: RecordPredicate;
    readonly limit: number;
    readonly include: readonly string[];
    readonly updatedSince: number | undefined;
  },
): AsyncGenerator<readonly ReadShape[]> {
  let left = limit;
  for await (const page of recordPages(catalog, resource, {
    include,
    ...(updatedSince !== undefined && { updatedSince }),
  })) {
    const records = page.filter(wanted).slice(0, left);
    left -= records.length;
    if (records.length > 0) yield records;
    if (left <= 0) return;
  }
}

/** A path where a name is compared: `parent=Home > Cases`. */
function pathHint(where: readonly string[] = []): string {
  const [, field, name] =
    where.flatMap((text) => [/^\s*(parent)=.*>\s*([^>]+?)\s*$/.exec(text)]).find((match) => match !== null) ?? [];
  return name === undefined
    ? ''
    : ` A category is named without its path: --where ${JSON.stringify(`${field}=${name}`)}.`;
}

async function list(resource: Resource, flags: ListFlags, process: NodeJS.Process): Promise<void> {
  const conditions = conditionsOf(resource, flags);
  const details = includedDetails(resource, flags.include);
  const include = [...new Set(['names', ...details])];
  const { output, changedSince: updatedSince } = flags;
  const limit = flags.limit ?? (output === 'table' ? usualTable : Number.POSITIVE_INFINITY);
  const say = noticePrinter(process.stderr, flags);
  const { catalog } = await openTarget(flags, process.env, { create: false, onWait: waitNotices(say) });
  const write = streamWriter(process.stdout);
  const writer = listWriter(output, resource, details, outputWidth(process));
  let count = 0;
  let isCut = false;
  try {
    const wanted = await wantedIn(catalog, { resource, conditions }, say);
    await write(writer.begin());
    // One more record than shown is read, to find out whether there are more.
    for await (const records of listed(catalog, resource, { wanted, limit: limit + 1, include, updatedSince })) {
      const shown = records.slice(0, limit - count);
      count += shown.length;
      isCut = shown.length < records.length;
      if (process.stdout.destroyed) return;
      await write(writer.records(shown));
    }
    await write(writer.end());
  } finally {
    await catalog.close();
  }
  if (count === 0 && !isCut) say(`No ${resource.command} found.${pathHint(flags.where)}`);
  else if (isCut && flags.limit === undefined) say(`The first ${limit} ${resource.command}; --limit shows more.`);
}
