// `why`: shows since when each field of a record has its value, and which line of which run set it.
import type { Command } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import type { ReadShape } from '../../../core/import-report.js';
import type { Resource } from '../../../core/resource.js';
import { resources } from '../../../core/resources/index.js';
import { sanitizeText } from '../../../core/text/sanitize.js';
import { nearest, quote } from '../../../core/text/text.js';
import { textTable } from '../../../reporting/formats/text-table.js';
import { shownDay } from '../../../reporting/shown-time.js';
import type { FieldHistory, OwnedField } from '../../../store/ledger/explain-record.js';
import type { LedgerRun } from '../../../store/ledger/runs.js';
import { addLedgerOption, shownValue, withLedger } from '../../ledger-target.js';
import { addExamples, addResultOptions, type ResultFlags, type TargetOptions } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { parseResource, refuseForeignKey } from '../../resource-argument.js';
import { lineOf, placeJson, placeWords, readFiles } from './place-of-change.js';

interface WhyFlags extends TargetOptions, ResultFlags {
  readonly field?: string;
  readonly sku?: string;
  readonly name?: string;
  readonly externalId?: string;
}

export function defineWhy(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Shows the values that the fields of a record were given, the latest first: when, by which run, and by which line of ' +
        'its file. What was changed without a run is not listed.',
    )
    .argument('<resource>', resources.map((resource) => resource.command).join(', '))
    .argument('[key]', 'SKU of a product, external_id of a review, or name of the others')
    .option('--sku <sku>', 'SKU of a product')
    .option('--name <name>', 'name of a characteristic, category or group')
    .option('--external-id <id>', 'external_id of a review')
    .option('--field <field>', 'only this field, such as price or grades[new].price');
  addResultOptions(addLedgerOption(command), 'query');
  addExamples(command, [
    ['why product 00118511 --field price', 'since when it costs that'],
    ['why category Phones', 'every change of a record'],
  ]);
  command.action((word: string, typed: string | undefined, flags: WhyFlags) => {
    const resource = parseResource(word, resources, 'why');
    return why(resource, keyOf(resource, typed, flags), flags, process);
  });
}

function keyOf(resource: Resource, typed: string | undefined, { sku, name, externalId }: WhyFlags): string {
  const given: Readonly<Record<string, string | undefined>> = { sku, name, external_id: externalId };
  const option = refuseForeignKey(resource, given);
  const named = given[resource.key] ?? (resource.keyAlias === undefined ? undefined : given[resource.keyAlias]);
  if (typed !== undefined && named !== undefined)
    throw new CatalogError('usage', `Give the key once: ${typed}, or ${option}.`);
  const key = typed ?? named ?? '';
  if (key.trim() !== '') return key;
  throw new CatalogError('usage', `Say which one: why ${resource.name} <${resource.key}>, or ${option} <value>.`);
}

async function why(resource: Resource, key: string, flags: WhyFlags, process: NodeJS.Process): Promise<void> {
  const { found, runs } = await withLedger(flags, process.env, async (ledger) => ({
    found: await ledger.explain(resource, key),
    runs: await ledger.runs(),
  }));
  if (found === undefined) throw new CatalogError('not_found', `${resource.title} not found.`);
  const isWanted = wantedField(resource, flags.field);
  const fields = found.fields.filter(({ field }) => field === '' || isWanted(field));
  const owned = found.owned.filter(({ field }) => isWanted(field));
  const byNumber = new Map(runs.map((run) => [run.number, run]));
  const { names } = found;
  const unexplained = unexplainedFields(fields, found.record);
  if (flags.output === 'json') {
    const reported = fields.map((one) => explainedJson(one, byNumber));
    process.stdout.write(
      `${JSON.stringify([...unexplained.map(unexplainedJson), ...reported, ...owned.map((one) => ownedJson(one, byNumber.get(one.run)))], null, 2)}\n`,
    );
    return;
  }
  for (const { field, value, before } of unexplained)
    process.stdout.write(
      `${sanitizeText(`${field} is ${shownValue(value, names)} now: it was ${shownValue(before, names)}, and no run that is kept changed it since`)}\n`,
    );
  if (fields.length === 0 && flags.quiet !== true) process.stderr.write('No run that is kept changed it.\n');
  // A list has a line for each member of its entries.
  const namesFields = flags.field === undefined || fields.some(({ field }) => field !== '' && field !== flags.field);
  if (fields.length > 0) {
    const head = ['day', ...(namesFields ? ['field'] : []), 'value', 'run', 'feed', 'line', 'before'];
    const rows = fields.map((one, i) => cellsOf(one, fields.slice(i + 1), { namesFields, runs: byNumber, names }));
    process.stdout.write(textTable([head, ...rows], outputWidth(process)));
  }
  for (const one of owned) process.stdout.write(`${ownedWords(one, byNumber.get(one.run), names)}\n`);
}

/** A field whose value no run that is kept gave it, as where it was changed by hand or with --no-history. */
interface UnexplainedField {
  readonly field: string;
  readonly value: unknown;
  readonly before: unknown;
}

/** The fields of which the latest known value is not the one that the record has. Entries of lists are not compared. */
function unexplainedFields(fields: readonly FieldHistory[], record: ReadShape): UnexplainedField[] {
  const latest = new Map<string, unknown>();
  for (const { field, value } of fields) if (field in record && !latest.has(field)) latest.set(field, value);
  return [...latest]
    .filter(([field, value]) => value !== undefined && JSON.stringify(record[field]) !== JSON.stringify(value))
    .map(([field, value]) => ({ field, value: record[field], before: value }));
}

function unexplainedJson({ field, value, before }: UnexplainedField) {
  return { time: null, field, value, before, run: null, feed: '', file: '', line: 0 };
}

/**
 * Which fields are asked for: `grades` is all of `grades[new].price` and its like.
 * @throws CatalogError `usage` where the resource has no such field
 */
function wantedField({ fields, title }: Resource, wanted: string | undefined): (field: string) => boolean {
  if (wanted === undefined) return () => true;
  const [name = ''] = wanted.split('[', 1);
  const known = Object.keys(fields);
  if (!known.includes(name)) {
    const near = nearest(name, known);
    const help = near === undefined ? '' : ` Did you mean ${quote(near)}?`;
    throw new CatalogError('usage', `${title} has no field ${quote(name)}.${help}`);
  }
  return (field) => field === wanted || field.startsWith(`${wanted}[`);
}

/** For a value that a higher-ranked feed overrides. */
function ownedJson({ field, value, feed, owner, run: number, file, line }: OwnedField, run: LedgerRun | undefined) {
  const time = run?.started ?? null;
  return {
    time,
    field,
    value: value ?? null,
    before: null,
    run: number,
    feed,
    file: fileOf(run, file),
    line,
    owned_by: owner,
  };
}

/** `price 9.00 of feed a is kept out by erp (run 40, a.csv:13)` */
function ownedWords(
  { field, value, feed, owner, run: number, file, line }: OwnedField,
  run: LedgerRun | undefined,
  names: ReadonlyMap<string, string>,
): string {
  const what = value === undefined ? field : `${field} ${shownValue(value, names)}`;
  const place = lineOf(fileOf(run, file), line);
  return sanitizeText(
    `${what} of feed ${feed} does not apply: ${owner} owns the field (run ${number}${place && `, ${place}`})`,
  );
}

/** The name of a file of a run; where it is not known which one it was, that of the only one that it read. */
function fileOf(run: LedgerRun | undefined, file: number): string {
  if (run === undefined) return '';
  const read = readFiles(run.detail);
  return (run.detail.files[file] ?? (read.length === 1 ? read[0] : undefined))?.file ?? '';
}

/** What gave a value: `a.csv:13`, `undo 3`, or `(no longer listed), from b (run 3, b.csv:51)`. */
function originOf({ run: number, file, line, from }: FieldHistory, runs: ReadonlyMap<number, LedgerRun>): string {
  const run = runs.get(number);
  if (run?.detail.undoes !== undefined) return run.detail.command;
  const place = placeWords(run, { file, line });
  if (from === undefined) return place;
  const source = lineOf(fileOf(runs.get(from.run), from.file), from.line);
  return `${place}, from ${from.feed} (run ${from.run}${source && `, ${source}`})`;
}

function explainedJson(one: FieldHistory, runs: ReadonlyMap<number, LedgerRun>) {
  const { field, value, before, run: number, from } = one;
  const run = runs.get(number);
  return {
    time: run?.started ?? null,
    field,
    value: value ?? null,
    before: before ?? null,
    run: number,
    feed: run?.feed ?? '',
    ...placeJson(run, one),
    ...(from && { from: { ...from, file: fileOf(runs.get(from.run), from.file) } }),
  };
}

/** What a line of the history is shown with. */
interface Shown {
  readonly namesFields: boolean;
  readonly runs: ReadonlyMap<number, LedgerRun>;
  /** Names of records by their identifiers. */
  readonly names: ReadonlyMap<string, string>;
}

/** One value per line. Its previous value is shown only where no line below shows it. */
function cellsOf(one: FieldHistory, earlier: readonly FieldHistory[], { namesFields, runs, names }: Shown): string[] {
  const run = runs.get(one.run);
  const next = earlier.find(({ field }) => field === one.field);
  const isTold = one.before === undefined || (next !== undefined && next.value === one.before);
  const cells = [
    run === undefined ? '' : shownDay(run.started),
    ...(namesFields ? [one.field] : []),
    one.field === '' ? 'created' : shownValue(one.value, names),
    String(one.run),
    run?.feed || '-',
    originOf(one, runs),
  ];
  return [...cells, isTold ? '' : shownValue(one.before, names)].map(sanitizeText);
}
