// Compiles the entries of a list field: those of a record, or of each of its parts.
import type { WrittenAmount } from '../../core/fields/currencies.js';
import type { Fields, ListField } from '../../core/fields/fields.js';
import { lostWithEntry } from './keyless-entry.js';
import { recordFilter } from './language/condition.js';
import { expander, variables } from './language/expander.js';
import { compileExpression } from './language/expression.js';
import { type Context, type Scope, textOfField } from './language/scope.js';
import type { EntryRule, Section } from './mapping.js';
import { aggregateOf } from './rows/aggregate.js';

/** What the fields of a section are, and what fills them. */
export interface SectionFields {
  readonly fields: Fields;
  readonly section: Section;
  /** The columns that are read. */
  readonly read: readonly string[];
}

/** The list entries of a record; one without a required field is left out. */
export function listEntries(
  entries: EntryRule,
  list: ListField,
  scope: Scope,
  { name, place, section, read: columns }: SectionFields & { readonly name: string; readonly place: string },
): (context: Context) => object[] {
  const { entry: fields, entryKey } = list;
  const spread = entries.each === undefined ? undefined : expander(entries.each, scope, `${place}.each`);
  const inner = { ...scope, ...variables(scope, spread) };
  const keep = recordFilter(entries, inner, place);
  const members = Object.entries(entries.entry).map(([member, value]) => {
    const field = fields[member];
    if (field === undefined)
      return scope.fail(`${place}.entry.${member}`, `an entry of ${name} has ${Object.keys(fields).join(', ')}`);
    if (section.rows !== undefined && section.once === undefined && aggregateOf(value) !== undefined)
      return scope.fail(`${place}.entry.${member}.aggregate`, aggregateInEntry);
    scope.filling(`${name}[].${member}`);
    const read = compileExpression(value, inner, `${place}.entry.${member}`, `${name}[].${member}`, field);
    const unpaired = JSON.stringify(value).includes('$value') ? inner.unpaired : undefined;
    return { member, read, required: field.required || member === entryKey, unpaired };
  });
  const lostWith = lostWithEntry(
    { members: entries.entry, list, name, place, parts: spread?.names ?? [], read: columns },
    inner,
  );
  return (context) => {
    let isUnpaired = false;
    return (spread?.of(context) ?? [context.own]).flatMap((own) => {
      const there = { ...context, own: { ...context.own, ...own } };
      if (keep !== undefined && !keep(there)) return [];
      const entry: Record<string, unknown> = {};
      const amounts: WrittenAmount[] = [];
      for (const { member, read, required, unpaired } of members) {
        const value = textOfField(read(there), `${name}[].${member}`, { ...there, amounts });
        if (value !== '') entry[member] = value;
        else if (required) {
          const lost = member === entryKey ? lostWith(there) : undefined;
          if (lost !== undefined) context.refuse(lost);
          else if (!isUnpaired) {
            const problem = unpaired?.(there, `${name}[].${member}`);
            isUnpaired = problem !== undefined;
            if (problem !== undefined) context.refuse(problem);
          }
          return [];
        }
      }
      context.amounts?.push(...amounts);
      return Object.keys(entry).length === 0 ? [] : [entry];
    });
  };
}

const aggregateInEntry =
  'the entries of several rows are made one only by once: merge; write it in place of rows:, or leave aggregate out';
