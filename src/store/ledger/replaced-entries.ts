// Joins what left a list with what took its place, so that a changed characteristic is one change: `attributes[Capacity].value` from 64
// to 128, not one entry that left and another one that is new.

/** A changed field. Values are as a read shows them; undefined if they are not known. */
export interface DescribedField {
  /** The field in a read: `price`, `grades[new].price`. */
  readonly field: string;
  readonly value: unknown;
  /** Undefined for an entry that the change added. */
  readonly before: unknown;
  readonly turn?: EntryTurn;
}

/** A list that an entry left or entered by a change. Only entries without a status have one: others tell it by their status. */
export interface EntryTurn {
  readonly turn: 'left' | 'entered';
  /** The entry in a read: `attributes[Capacity]`. */
  readonly entry: string;
  /** Its row, which has other fields than those of other entries of the same name. */
  readonly row: string;
  /** Whether the change did not touch this field. It is shown only where another entry with another value takes the place. */
  readonly isAsBefore: boolean;
}

/** Joins the fields of one record that one line of one run changed. */
export function joinReplaced<F extends DescribedField>(fields: readonly F[]): F[] {
  const counterparts = replacements(fields);
  return fields.flatMap((one) => {
    if (one.turn === undefined) return [one];
    const { turn, row, isAsBefore } = one.turn;
    const other = counterparts.get(row);
    const isSame = ({ field, turn: of }: F): boolean => field === one.field && of?.row === other;
    const counterpart = other === undefined ? undefined : fields.find(isSame);
    if (counterpart === undefined) return isAsBefore && other === undefined ? [] : [one];
    if (turn === 'left' || one.value === counterpart.before) return [];
    return [{ ...one, before: counterpart.before }];
  });
}

/** The row that took the place of another one, and the other way round: the nth that entered is for the nth that left. */
function replacements(fields: readonly DescribedField[]): Map<string, string> {
  const rows = { left: new Map<string, Set<string>>(), entered: new Map<string, Set<string>>() };
  for (const { turn } of fields) {
    if (turn === undefined) continue;
    const known = rows[turn.turn].get(turn.entry) ?? new Set();
    rows[turn.turn].set(turn.entry, known.add(turn.row));
  }
  return new Map(
    [...rows.left].flatMap(([entry, left]) => {
      const entered = [...(rows.entered.get(entry) ?? [])];
      return [...left].slice(0, entered.length).flatMap((one, i) => {
        const other = entered[i] as string;
        return [[one, other] as const, [other, one] as const];
      });
    }),
  );
}
