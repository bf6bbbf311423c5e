// The read shape of a record as plain data: its members in the order of the specification. /openapi.json is generated
// from the shapes of the resources, and a test compares every read with them. Absent text fields are ''.

/** A member: its JSON type (`integer?` and `string?` may be null), one fixed text (`=product`), a closed list of words, or a list of entries. */
export type ReadField =
  | 'string'
  | 'integer'
  | 'integer?'
  | 'string?'
  | 'boolean'
  | `=${string}`
  | readonly string[]
  | { readonly list: ReadFields | 'string' };

/** The members of a read shape by name. */
export interface ReadFields {
  readonly [name: string]: ReadField;
}
