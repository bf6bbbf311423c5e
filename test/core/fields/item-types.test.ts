// The type of a checked item follows from the declaration of its fields, and what the check makes of values is of it.
import { describe, expect, expectTypeOf, it } from 'vitest';
import { newDiagnostics } from '../../../src/core/diagnostics/diagnostics.js';
import { checkFields } from '../../../src/core/fields/check-item.js';
import {
  boolean,
  choice,
  decimal,
  type Field,
  type ItemOf,
  integer,
  key,
  list,
  reference,
  text,
  time,
} from '../../../src/core/fields/fields.js';

const entry = { name: key('name'), main: boolean('main') };
const fields = {
  key: key('key'),
  text: text('text'),
  word: choice('word', ['a', 'b']),
  count: integer('count'),
  at: time('at'),
  amount: decimal('amount', 2),
  other: reference('other', 'file', ['file_']),
  entries: list('entries', entry, 'name'),
};

/** What a value of each kind is once it was checked; null clears it. */
const typeOfKind: Readonly<Record<Exclude<Field['kind'], 'list'>, readonly unknown[]>> = {
  text: ['string'],
  choice: ['string'],
  integer: ['number'],
  decimal: ['number', null],
  boolean: ['boolean'],
  reference: ['string', null],
};

describe('ItemOf', () => {
  it('has each field by its kind, all of them optional', () => {
    type Item = ItemOf<typeof fields>;
    expectTypeOf<Item>().toEqualTypeOf<{
      readonly key?: string;
      readonly text?: string;
      readonly word?: string;
      readonly count?: number;
      readonly at?: number;
      readonly amount?: number | null;
      readonly other?: string | null;
      readonly entries?: readonly { readonly name?: string; readonly main?: boolean }[];
    }>();
  });

  it('is the type that the check returns', () => {
    const diagnostics = newDiagnostics();
    const sent = { key: ' K ', text: '', word: 'a', count: 5, at: 7, amount: '1.50', other: 'file_1' };
    const checked = checkFields(fields, { ...sent, entries: [{ name: 'n', main: true }] }, '', {
      diagnostics,
      isLanguage: () => true,
    });
    expect(diagnostics.problems).toEqual([]);
    expect(checked).toEqual({ ...sent, key: 'K', amount: 150, entries: [{ name: 'n', main: true }] });
    for (const [name, field] of Object.entries<Field>(fields)) {
      if (field.kind !== 'list') expect(typeOfKind[field.kind]).toContain(typeof checked[name]);
    }
    const cleared = checkFields(fields, { key: 'K', amount: '', other: '' }, '', {
      diagnostics,
      isLanguage: () => true,
    });
    expect(cleared).toEqual({ key: 'K', amount: null, other: null });
  });

  it('an entry is recognized by a field that it has', () => {
    type EntryKey = Parameters<typeof list<typeof entry>>[2];
    expectTypeOf<NonNullable<EntryKey>>().toEqualTypeOf<keyof typeof entry>();
  });
});
