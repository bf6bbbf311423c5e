// The schemas of /openapi.json: requests, responses, and the codes in them.
import * as z from 'zod';
import { itemSchema, type JsonSchema, readSchema } from '../../../core/fields/json-schema.js';
import type { Resource } from '../../../core/resource.js';
import { envelope } from '../imports/request-envelope.js';
import { type CodeTable, codeTables } from './code-tables.js';
import { integer, object, pascal, ref, string } from './schema-parts.js';

/**
 * A text from a list that later versions may extend: not a closed one, so that clients that validate it keep working.
 */
function openList({ about, rows }: CodeTable): JsonSchema {
  const codes = rows.map(([code]) => code);
  return { type: 'string', pattern: '^[a-z0-9_]+$', description: about, 'x-extensible-enum': codes };
}

const notice = object({ code: ref('NoticeCode'), field: string, message: string });

const line = object(
  {
    index: integer,
    external_id: string,
    action: { enum: ['created', 'updated', 'unchanged', 'refused'] },
    id: { type: ['string', 'null'] },
    code: { anyOf: [ref('LineCode'), { type: 'null' }] },
    title: { type: ['string', 'null'] },
    reason: { type: ['string', 'null'] },
    notice: { type: 'array', items: notice },
    changes: { type: 'array', items: object({ field: string, from: {}, to: {} }), description: 'only with diff' },
  },
  ['changes'],
);

const error = object({
  code: { type: 'integer', minimum: 400, maximum: 599 },
  title: string,
  response: object({
    object: { const: 'error' },
    error: ref('ErrorWord'),
    message: string,
    param: { type: 'string', description: 'the query parameter, body member or header at fault, or empty' },
    request_id: string,
  }),
});

const runEnd = object({
  passed_on: integer,
  data: {
    type: 'array',
    description:
      'the records, as far as 4 MiB hold them: no longer listed by the feed, so that values of lower feeds apply',
    items: object({
      resource: string,
      external_id: string,
      id: string,
      cause: { const: 'passed_on' },
      action: { const: 'updated' },
      feed: string,
      code: { type: 'null' },
      title: { type: 'null' },
      reason: { type: 'null' },
      notice: { type: 'array', items: notice },
      changes: { type: 'array', items: object({ field: string, from: {}, to: {} }) },
      line: { type: 'null' },
    }),
  },
});

function report(resource: Resource): JsonSchema {
  const members = {
    object: { const: 'list' },
    resource: { const: resource.name },
    dry_run: { type: 'boolean' },
    data: { type: 'array', items: ref('Line'), maxItems: resource.limit },
    created: integer,
    updated: integer,
    unchanged: integer,
    refused: integer,
    total: integer,
    end: { ...runEnd, description: 'only where the request ended the run of a feed: what that changed' },
  };
  return object(members, ['end']);
}

function batchSchema(resource: Resource): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(envelope, { io: 'input' });
  const items = { type: 'array', items: ref(`${pascal(resource.name)}Item`), maxItems: resource.limit };
  return { ...schema, properties: { ...schema.properties, items } };
}

function schemasOf(resource: Resource): Record<string, JsonSchema> {
  const name = pascal(resource.name);
  return {
    [name]: readSchema(
      resource.readShape,
      Object.assign({}, ...Object.values(resource.details).map(({ shape }) => shape)),
    ),
    [`${name}Item`]: itemSchema(resource),
    [`${name}Batch`]: batchSchema(resource),
    [`${name}Report`]: report(resource),
  };
}

export function schemas(resources: readonly Resource[]): Record<string, JsonSchema> {
  return {
    Error: error,
    Line: line,
    ...Object.fromEntries(codeTables(resources).map((table) => [table.name, openList(table)])),
    ...Object.assign({}, ...resources.map(schemasOf)),
  };
}
