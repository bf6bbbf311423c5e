// How many rows of a feed have a value in each field. A column that was renamed or emptied on its way changes no record, since
// what is not sent stays as it is: only the comparison with the feed's last run shows it.

/** The rows of one run that could be read as items, and in how many of them each field has a value. */
export interface FilledFields {
  readonly rows: number;
  readonly fields: Readonly<Record<string, number>>;
  /** Entries of the lists that are whole sets. */
  readonly entries?: number;
  readonly refused?: number;
}

/** Lists of which an entry that is left out is deactivated. */
export const wholeLists = ['values', 'axes', 'grades', 'media'] as const;

/** What the last accepted run of a feed read of a resource. */
export interface AcceptedRows {
  readonly rows: number;
  /** Undefined if it is not known. */
  readonly filled?: FilledFields;
}

/** A field of which fewer rows have a value than the last accepted run lets expect. */
export interface EmptiedField {
  readonly field: string;
  /** How many values are missing. */
  readonly count: number;
}

/** Whether a field has a value: neither absent nor emptied. */
export function isFilled(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/**
 * The fields of which values are missing, in their order. Rows that are missing as a whole do not count: of half the rows
 * half the values are expected.
 */
export function emptiedFields(before: FilledFields, now: FilledFields): EmptiedField[] {
  const share = before.rows === 0 ? 0 : Math.min(1, now.rows / before.rows);
  return Object.entries(before.fields).flatMap(([field, count]) => {
    const missing = Math.round(count * share) - (now.fields[field] ?? 0);
    return missing > 0 ? [{ field, count: missing }] : [];
  });
}

/** The fields of which no row has a value any more, and how many values they had. */
export function vanishedFields(
  before: FilledFields | undefined,
  now: FilledFields | undefined,
): { readonly fields: readonly string[]; readonly count: number } {
  if (before === undefined || now === undefined || now.rows === 0) return { fields: [], count: 0 };
  const gone = Object.entries(before.fields).filter(([field, count]) => count > 0 && now.fields[field] === undefined);
  return { fields: gone.map(([field]) => field), count: gone.reduce((sum, [, count]) => sum + count, 0) };
}

/** Reads what was stored; undefined if it is not what it must be. */
export function asFilledFields(value: unknown): FilledFields | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { rows, fields, entries, refused } = value as Readonly<Record<string, unknown>>;
  if (!isCount(rows) || typeof fields !== 'object' || fields === null) return undefined;
  if (!Object.values(fields).every(isCount)) return undefined;
  const more = { ...(isCount(entries) && { entries }), ...(isCount(refused) && { refused }) };
  return { rows, fields: fields as Record<string, number>, ...more };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
