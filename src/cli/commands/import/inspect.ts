// `inspect`: shows what a file contains, without a catalog, and writes a mapping to start from.
import { existsSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { CatalogError } from '../../../core/errors.js';
import { resources } from '../../../core/resources/index.js';
import { groupDigits, sanitizeText, shownFile } from '../../../core/text/sanitize.js';
import { formWords } from '../../../reporting/form-words.js';
import { cutToWidth } from '../../../reporting/formats/display-width.js';
import { naturalWidths, textTable } from '../../../reporting/formats/text-table.js';
import type { ColumnProfile } from '../../../source/inspection/column-profile.js';
import type { Inspection } from '../../../source/inspection/inspect-file.js';
import type { Question } from '../../../source/mapping/suggest/questions.js';
import type { Suggestion } from '../../../source/mapping/suggest/suggest-mapping.js';
import type { SourceOptions } from '../../../source/open-source.js';
import { wrapText } from '../../help-layout.js';
import { addFormatOption, addPlaceOptions, readableFiles } from '../../import/options/file-options.js';
import { givenFormOptions } from '../../import/options/import-options.js';
import { claimPage, writePage } from '../../inspect/inspection-page.js';
import { columnRemarks, innerLists, keyRemarks, questionRemarks } from '../../inspect/inspection-remarks.js';
import { addExamples, type ConfiguredOptions } from '../../options.js';
import { outputWidth } from '../../output-width.js';
import { type AddressFlags, addAddressOptions } from '../../sources/address-options.js';
import { type TypedSource, typedSource } from '../../sources/typed-source.js';
import { withSource } from '../../sources/with-source.js';
import { noticePrinter } from '../../terminal-output.js';

interface InspectFlags extends AddressFlags, ConfiguredOptions {
  readonly format?: NonNullable<SourceOptions['format']>;
  readonly encoding?: string;
  readonly delimiter?: string;
  readonly sheet?: string;
  readonly record?: string;
  readonly items?: string;
  readonly skip?: number;
  readonly output: 'table' | 'json';
  readonly quiet?: boolean;
  readonly profile?: string;
  readonly writeMap?: string;
  readonly writeContract?: string;
  readonly reportFile?: string;
}

export function defineInspect(command: Command, process: NodeJS.Process): void {
  command
    .description(
      'Shows what a file contains: format, encoding and delimiter with the reason for each, its columns with fill rate, distinct ' +
        'values, longest value and samples, repeated keys, damaged rows, and the resource it probably is. Needs no catalog.',
    )
    .argument('<file>', readableFiles);
  addFormatOption(command)
    .option('--encoding <name>', 'encoding of the file (default: found by all of its bytes)')
    .option('--delimiter <character>', 'separator of cells (default: found by the content)');
  addPlaceOptions(command, 'found by the rows below')
    .addOption(new Option('--output <form>', 'form of the output').choices(['table', 'json']).default('table'))
    .option(
      '--write-map <file>',
      'write the suggested mapping to this file; on a terminal its questions are asked first',
    )
    .option(
      '--write-contract <file>',
      'write a draft of a contract to this file: what this file keeps, for --expect of imports',
    )
    .option('--report-file <path>', 'write a page to look at to this file: .html')
    .option(
      '-q, --quiet',
      'print nothing where the file can be read; for --write-map, --write-contract and --report-file',
    );
  addExamples(command, [
    ['inspect feed.csv', 'look before importing'],
    ['inspect feed.csv --write-map feed.yaml', 'and begin a mapping'],
    ['inspect feed.csv --write-contract contract.yaml', 'what later files have to keep'],
    ['inspect feed.csv --report-file feed.html', 'in a browser'],
  ]);
  addAddressOptions(command);
  command.action((word: string, flags: InspectFlags) => inspect(typedSource(word, flags), flags, process));
}

async function inspect(source: TypedSource, flags: InspectFlags, process: NodeJS.Process): Promise<void> {
  const { file } = source;
  const { output, quiet = false, configured, writeMap, writeContract, reportFile } = flags;
  const how = readingOf(flags);
  const { inspectFile } = await import('../../../source/inspection/inspect-file.js');
  const { suggestMapping: suggest } = await import('../../../source/mapping/suggest/suggest-mapping.js');
  const started = new Date();
  if (reportFile !== undefined) claimPage(reportFile, [file, writeMap, writeContract]);
  const mustFit = givenFormOptions({ ...how, ...(configured && { configured }) });
  const lists = Object.assign({}, ...resources.map(({ fields }) => fields));
  const look = (more: Pick<SourceOptions, 'encoding' | 'sheet'> = {}) =>
    withSource(source, { flags, process }, (place) => inspectFile({ ...place, mustFit, ...how, ...more }, lists));
  let inspection = await look().catch(async (failure: unknown) => {
    if (reportFile !== undefined) await writePage(reportFile, { file, started, options: how, failure });
    throw failure;
  });
  const known = Object.fromEntries(resources.map(({ command, key, fields }) => [command, { key, fields }]));
  let suggestion = suggest(inspection, known, file);
  // The first sheet is often a cover, or a list of codes.
  const isOther = file !== '-' && how.sheet === undefined && !hasPrices(suggestion);
  const others = isOther ? inspection.otherSheets.slice(0, mostSheets) : [];
  for (const sheet of others) {
    const other = await look({ sheet });
    const suggested = suggest(other, known, file);
    if (!hasPrices(suggested)) continue;
    const note = `the sheet "${sheet}" is read, the first with keys and prices; --sheet names another: ${other.otherSheets.join(', ')}`;
    inspection = { ...other, notes: [note, ...other.notes] };
    suggestion = suggested;
    break;
  }
  const isShown = !quiet || inspection.failure !== undefined;
  if (isShown && output === 'json') process.stdout.write(`${jsonOf(file, inspection, suggestion)}\n`);
  else if (isShown)
    process.stdout.write(
      tableOf(file, { inspection, suggestion, width: outputWidth(process), isMapWritten: writeMap !== undefined }),
    );
  const say = noticePrinter(process.stderr, { quiet });
  for (const path of [writeMap, writeContract]) if (path !== undefined) refuseExisting(path);
  if (writeMap !== undefined && !quiet && file !== '-' && process.stdin.isTTY && process.stderr.isTTY) {
    const { answerQuestions, onTerminal } = await import('../../inspect/answer-questions.js');
    suggestion = await onTerminal(process, async (ask) => {
      // The encoding first: names of columns depend on it.
      const isEncoding = ({ field }: Question) => field === 'encoding';
      const encoding = (await answerQuestions(suggestion.questions.filter(isEncoding), ask)).get('encoding');
      if (encoding !== undefined) inspection = await look({ encoding });
      const questions = suggest(inspection, known, file).questions.filter((one) => !isEncoding(one));
      return suggest(inspection, known, file, await answerQuestions(questions, ask));
    });
  }
  if (writeMap !== undefined || writeContract !== undefined) {
    const drafts = await import('../../inspect/write-drafts.js');
    const inspected = { file, inspection, suggestion, say };
    if (writeMap !== undefined) await drafts.writeMap(writeMap, inspected);
    if (writeContract !== undefined) drafts.writeContract(writeContract, inspected);
  }
  if (reportFile !== undefined)
    await writePage(reportFile, { file, started, options: how, inspection, suggestion, failure: inspection.failure });
  if (inspection.failure !== undefined) throw inspection.failure;
}

/** Sheets that are looked at for products. */
const mostSheets = 10;

/** Whether records are products with a key and a price, or columns that could be them. */
const hasPrices = ({ resource, fields, questions }: Suggestion): boolean =>
  resource === 'products' &&
  ['sku', 'price'].every(
    (field) => fields.has(field) || questions.some((one) => one.field === field && one.candidates.length > 0),
  );

function readingOf({ format, encoding, delimiter, sheet, record, items, skip }: InspectFlags) {
  const given = Object.entries({ format, encoding, delimiter, sheet, record, items, skip });
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as Omit<SourceOptions, 'file'>;
}

/** @throws CatalogError `usage` where the file exists */
function refuseExisting(path: string): void {
  if (existsSync(path)) throw new CatalogError('usage', `${path} is there already; name another file, or remove it.`);
}

function jsonOf(
  file: string,
  { found, ready, records, columns, troubles }: Inspection,
  { resource, fields, questions, decimal, decimalWhy, yaml }: Suggestion,
): string {
  const suggestion = {
    resource,
    fields: Object.fromEntries(fields),
    decimal: decimal ?? null,
    decimal_why: decimalWhy,
    map: yaml,
  };
  const profiles = columns.map(({ values: _, amounts: __, ...profile }) => profile);
  const readyMap = ready === undefined ? null : ready.map;
  return JSON.stringify(
    { file, ...found, ready_map: readyMap, records, columns: profiles, troubles, questions, suggestion },
    undefined,
    2,
  );
}

interface InspectionTable {
  readonly inspection: Inspection;
  readonly suggestion: Suggestion;
  readonly width: number | undefined;
  readonly isMapWritten: boolean;
}

function tableOf(file: string, { inspection, suggestion, width, isMapWritten }: InspectionTable): string {
  const { found, records, columns, troubles } = inspection;
  const ends = found.newline === undefined ? [] : [`lines end in ${found.newline}`];
  const lines = [
    `${shownFile(file)}: ${[...formWords(found), ...ends].join(', ')}`,
    ...(found.compression === 'xlsx'
      ? []
      : [`  encoding: ${found.encoding}${found.why === '' ? '' : ` (${found.why})`}`]),
    ...(found.isGuessed
      ? [`  An import assumes UTF-8 unless it has --encoding ${found.encoding}, or a mapping with \`encoding\`.`]
      : []),
    ...(found.skip === undefined
      ? []
      : [`  header: on line ${found.skip + 1}, by the rows below it (read: {skip: ${found.skip}})`]),
    ...(found.recordPath === undefined
      ? []
      : [
          `  records: the ${found.format === 'xml' ? 'elements' : 'list'} ${sanitizeText(JSON.stringify(found.recordPath))}`,
        ]),
    ...(inspection.ready === undefined
      ? []
      : [
          `  This is ${inspection.ready.name}: the project has a ready mapping, fixtures/maps/${inspection.ready.map}.`,
        ]),
    ...inspection.notes.map((note) => `  ${sanitizeText(note)}`),
    `  decimal sign: ${suggestion.decimal ?? 'unknown'} (${suggestion.decimalWhy})`,
    `  records: ${groupDigits(records)}`,
    '',
    columnTable(columns, suggestion, { records, width }),
    ...(inspection.failure === undefined
      ? []
      : ['The file could not be read to its end: this is what comes before the damage.']),
    ...(troubles.length > 0
      ? ['Rows to look at:']
      : inspection.failure === undefined
        ? ['No row is ragged or damaged.']
        : []),
    ...troubles.map(
      ({ what, count, lines: at }) =>
        `  ${groupDigits(count).padStart(7)}  ${what} (line ${at.join(', ')}${count > at.length ? ' …' : ''})`,
    ),
    ...keyRemarks(columns, suggestion).map((remark) => `  ${remark}`),
    ...columns
      .filter(({ filled }) => filled > records)
      .map(({ name }) => `  ${sanitizeText(name)}: several columns have this name; give each a name of its own`),
    ...columnRemarks(columns, suggestion).map((remark) => `  ${remark}`),
    ...innerLists(inspection, suggestion).map((remark) => `  ${remark}`),
    '',
    seems(inspection, suggestion, isMapWritten),
    ...questionRemarks(suggestion),
    '',
  ];
  return wrapText(lines.join('\n'), width ?? Number.POSITIVE_INFINITY, 2);
}

function seems({ found }: Inspection, { resource, fields, questions }: Suggestion, isMapWritten: boolean): string {
  // A table without a header has questions about its first record, whose cells were taken for names.
  if (fields.size > 0 || (questions.length > 0 && found.delimiter === undefined)) {
    const columns = [...fields].map(([field, column]) => `${field} ← ${sanitizeText(column.trim())}`);
    const isPlain = [...fields].every(([field, column]) => column.trim().toLowerCase() === field);
    const hint =
      isPlain || isMapWritten ? '' : '\n--write-map feed.yaml writes this as a mapping, for --map of an import.';
    return `It seems to hold ${resource}${columns.length === 0 ? '' : ': '}${columns.join(', ')}.${hint}`;
  }
  const headless = ' Where its first line is a record and no header, `columns` of a mapping names them.';
  return `No column is called after a field.${found.delimiter === undefined ? '' : headless}`;
}

function columnTable(
  columns: readonly ColumnProfile[],
  { fields }: Suggestion,
  { records, width }: { readonly records: number; readonly width: number | undefined },
): string {
  const filledBy = new Map([...fields].map(([field, column]) => [column, field]));
  const rows = columns.map(({ name, filled, distinct, many, longest, samples }) => [
    cutToWidth(sanitizeText(name.trim()), 30),
    filledBy.get(name) ?? '',
    records === 0 ? '' : `${Math.floor(Math.min(1, filled / records) * 100)} %`,
    many ? `> ${groupDigits(distinct)}` : groupDigits(distinct),
    groupDigits(longest),
    cutToWidth(samples.map((sample) => sanitizeText(sample)).join(' | '), 60),
  ]);
  const table = [['column', 'field', 'filled', 'different', 'bytes', 'samples'], ...rows];
  const widths = naturalWidths(table);
  // Numbers are below each other by their last digits.
  const lines = table.map((row) => row.map((cell, i) => (i >= 2 && i < 5 ? cell.padStart(widths[i] ?? 0) : cell)));
  return textTable(lines, width && width - 2).replace(/^(?=.)/gm, '  ');
}
