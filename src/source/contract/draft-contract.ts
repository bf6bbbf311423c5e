// Drafts a contract from a good file: what was seen, with room for ordinary changes. A person corrects it.
import type { Field, Fields } from '../../core/fields/fields.js';
import { groupDigits } from '../../core/text/sanitize.js';
import type { ColumnProfile } from '../inspection/column-profile.js';
import type { Inspection } from '../inspection/inspect-file.js';
import { choicesOf, holdsBarcodes, numbersIn } from '../mapping/suggest/column-kinds.js';

/** Which column fills which field, and what the fields are. */
interface FilledBy {
  readonly columns: ReadonlyMap<string, string>;
  readonly fields: Fields;
  /** The field of the key. */
  readonly key: string;
}

/** A column of which something is expected, with its field. */
interface DraftedColumn {
  readonly facts: ColumnProfile;
  readonly field: string;
  readonly descriptor: Field | undefined;
  readonly records: number;
}

/** A rule with what was seen of it. */
type DraftedRule = readonly [rule: string, seen: string];

/** A column with values in fewer rows has them by chance. */
const seldom = 0.5;

/** Maximum values of a closed list. */
const mostChoices = 12;

/** The contract as a YAML text. */
export function draftContract({ found, records, columns }: Inspection, filledBy: FilledBy): string {
  const drafted = draftedColumns(columns, records, filledBy).flatMap((column) => columnLine(column, filledBy.key));
  // Of a document the members of its records.
  const isTable = found.delimiter !== undefined;
  const names = [...new Set(columns.map(({ name }) => (isTable ? name : (name.split(/[.[]/, 1)[0] ?? '')).trim()))];
  return [
    '# A draft by catalog-import inspect, from a good file: read it, correct it. catalog-import help contracts explains it.',
    '# The comment of a line says what was seen. Move what should only warn below warn:.',
    'expect:',
    '  # age: 26h   # of the file, where it comes every day',
    `  rows: [${Math.floor(records * 0.8)}, ${Math.ceil(records * 1.2)}]   # ${groupDigits(records)}`,
    `  columns: [${names.map((name) => JSON.stringify(name)).join(', ')}]   # no other, and none fewer`,
    ...drafted,
    '',
  ].join('\n');
}

/** The columns that fill a field, but lists, those that several columns are called as, and those that another field is called as. */
function draftedColumns(
  columns: readonly ColumnProfile[],
  records: number,
  { columns: filled, fields }: FilledBy,
): readonly DraftedColumn[] {
  const fieldOf = new Map([...filled].map(([field, column]) => [column, field]));
  return columns.flatMap((facts) => {
    const { name } = facts;
    const field = fieldOf.get(name) ?? (Object.hasOwn(fields, name) && !filled.has(name) ? name : undefined);
    const isOther = Object.hasOwn(fields, name) && field !== name;
    if (field === undefined || isOther || facts.filled > records || facts.filled < records * seldom) return [];
    const isList = facts.samples.some((sample) => /^[[{]/.test(sample));
    if (isList || name === 'warn' || name.startsWith('$')) return [];
    return [{ facts, field, descriptor: fields[field], records }];
  });
}

function columnLine(column: DraftedColumn, key: string): string[] {
  const { name } = column.facts;
  const rules = [
    filledRule(column),
    numberRule(column),
    choiceRule(column),
    barcodeRule(column),
    uniqueRule(column, key),
  ];
  const drafted = rules.filter((rule) => rule !== undefined);
  const word = /^[A-Za-z]\w*$/.test(name) && !/^(?:true|false|null)$/i.test(name) ? name : JSON.stringify(name);
  const seen = drafted.map(([, words]) => words).filter(Boolean);
  return [`  ${word}: { ${drafted.map(([rule]) => rule).join(', ')} }   # ${seen.join('; ')}`];
}

/** A percent and a fifth of what is missing more. */
function filledRule({ facts: { filled }, records }: DraftedColumn): DraftedRule {
  const share = (filled / records) * 100;
  return [`filled: ${Math.floor(share - 1 - (100 - share) / 5)}%`, `${Math.floor(share * 10) / 10} % filled`];
}

/** From half of the lowest to twice the highest; a stock may always be 0. */
function numberRule({ facts, descriptor }: DraftedColumn): DraftedRule | undefined {
  const { range, filled, numbers, priced, indian } = facts;
  const isNumber = descriptor?.kind === 'decimal' || descriptor?.kind === 'integer';
  if (!isNumber || range === undefined || numbersIn(facts) !== filled || numbers.either > 0 || priced + indian > 0)
    return undefined;
  const [low, high] = range;
  const half = descriptor.kind === 'integer' ? 0 : Math.floor(low * 50) / 100;
  const bounds = [low < 0 ? Math.floor(low * 2) : half, high < 0 ? 0 : Math.ceil(high * 2)];
  return [`between: [${bounds.join(', ')}]`, `${low} to ${high}`];
}

function choiceRule({ facts, descriptor }: DraftedColumn): DraftedRule | undefined {
  const isClosed = descriptor?.kind === 'choice' || (descriptor?.kind === 'text' && descriptor.format === 'currency');
  const values = isClosed ? choicesOf(facts) : undefined;
  if (values === undefined || values.length > mostChoices) return undefined;
  return [`one_of: [${values.map((value) => JSON.stringify(value)).join(', ')}]`, ''];
}

function barcodeRule({ facts }: DraftedColumn): DraftedRule | undefined {
  if (!holdsBarcodes(facts)) return undefined;
  const wrong = facts.filled - facts.barcodes;
  const share = (facts.barcodes / facts.filled) * 100;
  const seen = wrong === 0 ? 'all with their check digit' : `${groupDigits(wrong)} without their check digit`;
  return [`check_digit: ${Math.floor(share - 1)}%`, seen];
}

/** A key has to be unique. Of barcodes a few may repeat, where not all of them were compared. */
function uniqueRule({ facts, field }: DraftedColumn, key: string): DraftedRule | undefined {
  if (facts.repeats > 0) return undefined;
  if (field === key) return ['unique: true', 'none repeated'];
  return holdsBarcodes(facts) ? ['unique: 99%', 'none repeated'] : undefined;
}
