// `get`: prints one record in its read shape. It must start fast, so it loads only what opening a catalog needs.
import { type Command, Option } from 'commander';
import type { Catalog, Selector } from '../../../core/catalog.js';
import { CatalogError } from '../../../core/errors.js';
import type { ReadShape } from '../../../core/import-report.js';
import { includeWords } from '../../../core/reading/record-view.js';
import type { Resource } from '../../../core/resource.js';
import { resources } from '../../../core/resources/index.js';
import { sanitizeJson, sanitizeText } from '../../../core/text/sanitize.js';
import { addIncludeOption, includedDetails } from '../../included-details.js';
import { addExamples, addQuiet, addTargetOptions, openTarget, type TargetOptions } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { type RecordKeyFlags, selectorsOf } from '../../record-selector.js';
import { waitNotices } from '../../remote.js';
import { parseResource } from '../../resource-argument.js';
import { noticePrinter } from '../../terminal-output.js';

interface GetFlags extends TargetOptions, RecordKeyFlags {
  readonly output: 'json' | 'table';
  readonly quiet?: boolean;
  readonly all?: boolean;
  readonly include?: string;
}

export function defineGet(command: Command, process: NodeJS.Process): void {
  command
    .description('Prints one record as JSON. Deleted products and reviews are found too.')
    .argument('<resource>', resources.map((resource) => resource.command).join(', '))
    .argument(
      '[key]',
      'SKU of a product, external_id of a review, name of the others, path of a category, or identifier',
    )
    .option('--sku <sku>', 'SKU of a product')
    .option(
      '--name <name>',
      'name of a characteristic, category or group; of a category also the path, such as "Home > Phones"',
    )
    .option('--external-id <id>', 'external_id of a review; for a product the same as --sku')
    .option('--id <identifier>', 'identifier of the record; used when no key is given')
    .option('--all', 'also grades, characteristic values and photos, all listed values and axes, and names')
    .addOption(new Option('--output <form>', 'form of the record').choices(['json', 'table']).default('json'));
  addTargetOptions(addQuiet(addIncludeOption(command), 'query'), 'read from');
  addExamples(command, [
    ['get product PHONE-64', 'a product by its SKU'],
    ['get product --sku PHONE-64 --all', 'with its grades, characteristic values and photos'],
    ['get product PHONE-64 --include lowest_price_30d', 'with the lowest price of the 30 days before its reduction'],
    ['get category "Electronics > Phones" --output table', 'a category, for people'],
    ['get review --id prvw_01jd0zq1w2e3r4t5y6u7i8o9p0', 'by identifier'],
  ]);
  command.action((word: string, key: string | undefined, flags: GetFlags) => {
    const resource = parseResource(word, resources, 'get');
    return get(resource, selectorsOf('get', resource, key, flags), flags, process);
  });
}

async function get(
  resource: Resource,
  selectors: readonly Selector[],
  flags: GetFlags,
  process: NodeJS.Process,
): Promise<void> {
  const details = flags.all ? includeWords(resource) : includedDetails(resource, flags.include);
  const { catalog } = await openTarget(flags, process.env, {
    create: false,
    onWait: waitNotices(noticePrinter(process.stderr, flags)),
  });
  let record: ReadShape | undefined;
  try {
    for (const selector of selectors) record ??= await catalog.read(resource, selector, details);
    const id = record === undefined ? await idOfPath(catalog, resource, selectors) : undefined;
    if (id !== undefined) record = await catalog.read(resource, { id }, details);
  } finally {
    await catalog.close();
  }
  if (record === undefined) throw new CatalogError('not_found', `${resource.title} not found.`);
  process.stdout.write(
    flags.output === 'table' ? await asTable(record, process) : `${sanitizeJson(JSON.stringify(record, null, 2))}\n`,
  );
}

/** The identifier of the category whose path was given in place of its name. */
async function idOfPath(
  catalog: Catalog,
  resource: Resource,
  [selector]: readonly Selector[],
): Promise<string | undefined> {
  const name = selector !== undefined && 'key' in selector ? selector.key : '';
  if (!name.includes('>')) return undefined;
  const { findByName } = await import('../../../importing/name-resolver.js');
  const found = await findByName(catalog, resource, name);
  if (typeof found !== 'object') return found;
  throw new CatalogError('not_found', `${resource.title} not found: ${found.message}.`);
}

async function asTable(record: ReadShape, process: NodeJS.Process): Promise<string> {
  const { labelled } = await import('../../../reporting/formats/text-table.js');
  const { shownMember } = await import('../../../reporting/shown-time.js');
  const lines = Object.entries(record).flatMap(([name, value]) =>
    shown(shownMember(name, value)).map((text, i) => [i === 0 ? name : '', text]),
  );
  return labelled(lines, outputWidth(process));
}

/** A value, or the entries of a list. */
function shown(value: unknown): string[] {
  if (!Array.isArray(value)) return [sanitizeText(typeof value === 'string' ? value : JSON.stringify(value))];
  if (value.length === 0) return [''];
  return value.map((entry: unknown) =>
    typeof entry === 'object' && entry !== null
      ? Object.entries(entry)
          .filter(([, member]) => member !== '')
          .map(([name, member]) => `${name} ${sanitizeText(String(member))}`)
          .join(', ')
      : sanitizeText(String(entry)),
  );
}
