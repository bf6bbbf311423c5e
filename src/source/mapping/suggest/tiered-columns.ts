// Finds the columns of keys, names, stock and barcodes by their headers. Of several that are named equally plainly none is
// taken: a person has to choose.
import type { ColumnProfile } from '../../inspection/column-profile.js';
import {
  fewestToJudge,
  formAttributes,
  hasFractions,
  holdsBarcodes,
  holdsCodes,
  holdsGroupedCodes,
  holdsObjects,
  isAddress,
  isImage,
  isListed,
  isNested,
  isOtherThing,
  isVaried,
  numbersIn,
  signOfCodes,
} from './column-kinds.js';
import { codeTier, isOfPrice, isWrapped, namesOther, thingTier, tierOf } from './read-header.js';
import { unknownIn } from './whole-header.js';

/** A column with how plainly its header names the field, 0 the plainest. */
interface NamedColumn {
  readonly column: ColumnProfile;
  readonly tier: number;
}

/** The longest name in bytes. */
export const longestName = 190;

/** Whether what was searched for is marked, as in `_highlightResult`: `<em>A-1</em>`. */
const isMarked = ({ samples }: ColumnProfile): boolean => samples.every((sample) => /^<\w+>/.test(sample));

/** Whether the values of a column can be those of a field. */
const fits: Readonly<Record<string, (column: ColumnProfile) => boolean>> = {
  sku: (column) =>
    (column.spaced * 2 < column.filled || holdsGroupedCodes(column)) &&
    column.longest <= longestName &&
    !isListed(column) &&
    !isAddress(column) &&
    !isMarked(column) &&
    !hasFractions(column),
  name: (column) =>
    column.longest <= longestName &&
    numbersIn(column) * 2 < column.filled &&
    !holdsBarcodes(column) &&
    !holdsCodes(column) &&
    !isAddress(column) &&
    !isNestedAttribute(column),
  stock: (column) => !isOfPrice(column.name) && (numbersIn(column) + column.measured) * 2 >= column.filled,
  ean: (column) => column.spaced === 0 || column.values.some((one) => signOfCodes(one) !== undefined),
};

/** Whether a column is of the record itself, and its values can be those of a field. */
export const fitsField = (column: ColumnProfile, field: string): boolean =>
  !formAttributes.test(column.name) &&
  !isOtherThing(column.name) &&
  !holdsObjects(column) &&
  fits[field]?.(column) === true;

/** Whether a column has as many different values as a field needs. */
const hasEnoughValues = (column: ColumnProfile, field: string): boolean =>
  field === 'name' ? column.filled < fewestToJudge || column.distinct > 1 : isVaried(column);

/** Whether a column is a member of a thing that many records share, whose name and number are not theirs: `group.name`. */
function isOfSharedThing({ name }: ColumnProfile, columns: readonly ColumnProfile[]): boolean {
  const [outer] = /^.+\./.exec(name) ?? [];
  const members = outer === undefined ? [] : columns.filter((one) => one.name.startsWith(outer) && one.filled > 0);
  return members.length > 1 && !isWrapped(name) && !members.some(isVaried);
}

/** The columns that could fill a field: none, one, or several between which a person has to choose. */
export function tieredColumns(columns: readonly ColumnProfile[], field: string): readonly ColumnProfile[] {
  const named = columns
    .filter((column) => fitsField(column, field) && hasEnoughValues(column, field) && !isOfSharedThing(column, columns))
    .map((column): NamedColumn => ({ column, tier: tierFor(column, field) }))
    .filter(
      ({ column, tier }) =>
        tier !== -1 && (field !== 'sku' || tier < thingTier || holdsCodes(column) || holdsGroupedCodes(column)),
    );
  const plainest = plainestOf(named);
  if (field === 'name')
    return tellingNames(
      plainest.map(({ column }) => column),
      columns,
    );
  if (field === 'ean') return knownBarcodes(plainest.map(({ column }) => column));
  // The key: every record has one, and none has that of another, where there is such a column. One that is named more
  // plainly and is not so is asked about; those that all records have come first.
  const most = Math.max(0, ...columns.map(({ filled }) => filled));
  const complete = plainestOf(named.filter(({ column: { filled, repeats } }) => filled === most && repeats === 0));
  const isPlainest = complete.length === 0 || complete[0]?.tier === plainest[0]?.tier;
  const keys = complete.length === 0 ? plainest : isPlainest ? complete : [...plainest, ...complete];
  return keys.map(({ column }) => column).sort((one, other) => other.filled - one.filled);
}

/** The barcodes whose headers are known as a whole, where there are some: `EAN` next to `EAN karton`. */
function knownBarcodes(columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const whole = columns.filter(({ name }) => unknownIn(name, 'ean') === undefined);
  return whole.length > 0 ? whole : columns;
}

/** Whether a column is called a key, and several records share its values. */
export const isSharedKey = (column: ColumnProfile): boolean =>
  column.repeats > 0 &&
  fitsField(column, 'sku') &&
  column.distinct * mostShared > column.filled &&
  [0, 1, codeTier].includes(tierOf(column.name, 'sku'));

/** Records of one product, as many as it has variants or languages. */
const mostShared = 10;

/** As the header says; a `Name` of codes is a code, where something else is the name. */
function tierFor(column: ColumnProfile, field: string): number {
  const tier = tierOf(column.name, field);
  return field === 'sku' && tier === -1 && isCodedName(column) ? codeTier : tier;
}

/** Whether a column is called a name and holds codes, as the `Name` of items does in some ERP systems. */
export const isCodedName = (column: ColumnProfile): boolean => holdsCodes(column) && tierOf(column.name, 'name') === 0;

/**
 * Of columns that are called names those whose values tell records apart. Where they have a few values only, such as the
 * `Title` of a person, texts that are all different could be the name as well.
 */
function tellingNames(named: readonly ColumnProfile[], columns: readonly ColumnProfile[]): readonly ColumnProfile[] {
  const telling = named.filter(({ distinct, filled }) => distinct * 2 > filled);
  if (telling.length > 0) return telling;
  if (named.length === 0 || named.some(({ distinct, filled }) => distinct * fewValues > filled)) return named;
  const texts = columns.filter(
    (column) =>
      !named.includes(column) &&
      fits['name']?.(column) === true &&
      column.spaced * 2 >= column.filled &&
      column.repeats === 0,
  );
  return [...named, ...texts];
}
/** Records for each value of a column of few values. */
const fewValues = 4;

function plainestOf(named: readonly NamedColumn[]): readonly NamedColumn[] {
  const least = Math.min(...named.map(({ tier }) => tier));
  return named.filter(({ tier }) => tier === least);
}

/** `param@name` is of something inside the record. */
const isNestedAttribute = ({ name }: ColumnProfile): boolean => /[^@]@/.test(name);

/** Whether texts tell records apart by their words, whatever their header is called, unless it is that of something else. */
export function couldBeName(facts: ColumnProfile): boolean {
  const { name, longest, distinct, filled, samples, spaced } = facts;
  const tells = spaced * 2 >= filled ? distinct * 2 > filled : distinct === filled;
  return (
    filled > 1 &&
    tells &&
    longest <= longestName &&
    numbersIn(facts) + facts.measured === 0 &&
    !holdsCodes(facts) &&
    !isNested(facts) &&
    !isImage(facts) &&
    !namesOther(name, 'name') &&
    !isOtherThing(`${name}.name`) &&
    samples.every(
      (sample) => /\p{L}{3}|[^\P{L}\p{Script=Latin}]/u.test(sample) && !/^(?:https?:|<|\d+[.:-]\d)/u.test(sample),
    )
  );
}

/** Whether texts surely are names: only where the header says nothing to us. `Comment` or `Value` is no name. */
export function isName(facts: ColumnProfile): boolean {
  const { name, distinct, filled, spaced } = facts;
  return !/[a-z]{3}/iu.test(name) && spaced * 2 >= filled && distinct * 3 > filled * 2 && couldBeName(facts);
}
