// Field descriptors → JSON Schema (2020-12), for /openapi.json and for clients that validate before sending.

import type { ReadFields } from '../reading/read-shapes.js';
import type { Resource } from '../resource.js';
import type { Field, Fields, TextField } from './fields.js';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The schema of an item as it is sent. Null counts as not sent, so only required fields refuse it. */
export function itemSchema(resource: Resource): JsonSchema {
  return { ...fieldsSchema(resource.fields), description: `${resource.title}, as it is imported` };
}

function fieldsSchema(fields: Fields): JsonSchema {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const either: JsonSchema[] = [];
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = { ...fieldSchema(field), description: field.note };
    if (!field.required) continue;
    const alias = Object.keys(fields).find((other) => aliasOf(fields[other]) === name);
    if (alias === undefined) required.push(name);
    else either.push({ required: [name] }, { required: [alias] });
  }
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    ...(either.length === 0 ? {} : { anyOf: either }),
  };
}

function aliasOf(field: Field | undefined): string | undefined {
  return field?.kind === 'text' ? field.aliasOf : undefined;
}

function fieldSchema(field: Field): JsonSchema {
  const type = (name: string) => (field.required ? name : [name, 'null']);
  switch (field.kind) {
    case 'text':
      return { type: type('string'), ...textLimits(field) };
    case 'choice':
      return { type: type('string'), enum: field.required ? field.values : [...field.values, null] };
    case 'integer':
      return {
        type: type('integer'),
        minimum: field.min,
        maximum: field.max,
      };
    case 'decimal': {
      const pattern = `^(?:0*[0-9]{1,12}(?:\\.[0-9]{1,${field.scale}}0*)?)?$`;
      return { type: ['number', 'string', 'null'], minimum: 0, exclusiveMaximum: 1e12, pattern };
    }
    case 'boolean':
      return { type: type('boolean') };
    case 'reference':
      return { type: type('string'), ...referencePattern(field.prefixes, field.byName) };
    case 'list':
      return {
        type: type('array'),
        items: fieldsSchema(field.entry),
        ...(field.maxEntries === undefined ? {} : { maxItems: field.maxEntries }),
      };
  }
}

/**
 * A schema limits characters; a limit of bytes is given as the same number of characters, and the description says
 * bytes.
 */
function textLimits({ maxBytes, maxCharacters, format, required }: TextField): JsonSchema {
  const most = maxCharacters ?? maxBytes;
  const patterns = { hex: '^(?:#?[0-9A-Fa-f]{6})?$', currency: '^(?:[A-Za-z]{3})?$', language: '^(?:[a-z]{3})?$' };
  return {
    ...(required ? { minLength: 1 } : {}),
    ...(most === undefined ? {} : { maxLength: most }),
    ...(format === undefined ? {} : { pattern: patterns[format] }),
    ...(maxBytes === undefined ? {} : { $comment: `at most ${maxBytes} bytes of UTF-8` }),
  };
}

function referencePattern(prefixes: readonly string[], byName: boolean): JsonSchema {
  if (byName || prefixes.length === 0) return {};
  return { pattern: `^(?:(?:${prefixes.join('|')})[A-Za-z0-9_-]{1,64})?$` };
}

/**
 * The schema of a record as it is read. More members may be added within /v1, so others are not forbidden.
 * @param details members that are there on request only
 */
export function readSchema(fields: ReadFields, details: ReadFields = {}): JsonSchema {
  const all = Object.entries({ ...details, ...fields });
  const properties = Object.fromEntries(all.map(([name, field]) => [name, readField(field)]));
  return { type: 'object', properties, required: Object.keys(fields) };
}

function readField(field: ReadFields[string]): JsonSchema {
  if (field === 'integer?' || field === 'string?') return { type: [field.slice(0, -1), 'null'] };
  if (typeof field === 'string') return field.startsWith('=') ? { const: field.slice(1) } : { type: field };
  if (!('list' in field)) return { enum: field };
  return { type: 'array', items: field.list === 'string' ? { type: 'string' } : readSchema(field.list) };
}
