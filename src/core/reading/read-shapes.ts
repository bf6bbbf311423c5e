// The type of a read shape: what a read returns, in the order of the specification, as plain data. /openapi.json is made of
// the shapes of the resources, and a test holds every read against them. Absent text fields are ''.

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
