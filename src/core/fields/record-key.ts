// Record keys: which field of a sent item identifies its record, by resource.

import { fold } from '../text/text.js';
import type { Field, Fields } from './fields.js';

export interface RecordKey {
  readonly fields: Fields;
  readonly names: readonly string[];
  /** Keys that another field gives, whatever the key field contains: that of the record named Colour. */
  readonly given: ReadonlySet<string>;
  /** The key of an item as it was sent, trimmed: `external_id` in a report. '' if it is missing or not text. */
  of(item: Readonly<Record<string, unknown>>): string;
  /** The canonical form of a key: equal for keys of the same record, such as names that differ in case. */
  same(key: string): string;
}

export function recordKey(fields: Fields, keyField: string): RecordKey {
  const isAlias = (field: Field) => field.kind === 'text' && field.aliasOf === keyField;
  const names = [keyField, ...Object.keys(fields).filter((name) => isAlias(fields[name] as Field))];
  const own = fields[keyField];
  const anyCase = own?.kind === 'text' && own.anyCase === true;
  // Values that replace the key, whatever the key field contains, each with its field.
  const words = Object.entries(fields).flatMap(([name, field]) =>
    field.kind === 'choice' ? Object.entries(field.keys ?? {}).map(([word, key]) => ({ name, word, key })) : [],
  );
  return {
    fields,
    names,
    given: new Set(words.map(({ key }) => key)),
    of(item) {
      for (const { name, word, key } of words) if (item[name] === word) return key;
      for (const name of names) {
        const value = Object.hasOwn(item, name) ? item[name] : undefined;
        if (typeof value === 'string') return value.trim();
      }
      return '';
    },
    same: anyCase ? fold : (key) => key,
  };
}
