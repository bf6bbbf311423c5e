// /openapi.json: OpenAPI 3.1, made of what validates (field descriptors, the envelope) and of what is read back.
import { z } from 'zod';
import { itemSchema, type JsonSchema, readSchema } from '../../core/fields/json-schema.js';
import { sinceForms } from '../../core/reading/parse-since.js';
import { includeWords } from '../../core/reading/record-view.js';
import type { Resource } from '../../core/resource.js';
import { listPathOf, pageLimits, pathOf, scopeOf } from '../protocol.js';
import { envelope } from './request-envelope.js';

const string = { type: 'string' } as const;
const integer = { type: 'integer', minimum: 0 } as const;

function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

function enveloped(response: JsonSchema): JsonSchema {
  return object({ code: { const: 200 }, title: { const: 'OK' }, response });
}

const notice = object({ code: string, field: string, message: string });

const line = object(
  {
    index: integer,
    external_id: string,
    action: { enum: ['created', 'updated', 'unchanged', 'refused'] },
    id: { type: ['string', 'null'] },
    code: { type: ['string', 'null'] },
    title: { type: ['string', 'null'] },
    reason: { type: ['string', 'null'] },
    notice: { type: 'array', items: notice },
    changes: { type: 'array', items: object({ field: string, from: {}, to: {} }), description: 'only with diff' },
  },
  ['changes'],
);

function report(resource: Resource): JsonSchema {
  return object({
    object: { const: 'list' },
    resource: { const: resource.name },
    dry_run: { type: 'boolean' },
    data: { type: 'array', items: ref('Line'), maxItems: resource.limit },
    created: integer,
    updated: integer,
    unchanged: integer,
    refused: integer,
    total: integer,
  });
}

const error = object({
  code: { type: 'integer', minimum: 400, maximum: 599 },
  title: string,
  response: object({
    object: { const: 'error' },
    error: { type: 'string', pattern: '^[a-z0-9_]+$', description: 'the stable word to branch on' },
    message: string,
    param: { type: 'string', description: 'the query parameter, body member or header at fault, or empty' },
    request_id: string,
  }),
});

const statuses: Readonly<Record<number, string>> = {
  400: 'A parameter, the body or the request itself is malformed',
  401: 'No key, or one that is unknown, expired or revoked',
  403: 'The key lacks the scope',
  404: 'Not found',
  409: 'A request with this Idempotency-Key is still being worked on',
  413: 'The batch or the body is too large; nothing was written',
  415: 'The body is of another type or coding',
  422: 'The Idempotency-Key was used for another body',
  429: 'Too many requests; Retry-After says when to ask again',
  500: 'An unexpected error',
  503: 'Busy or stopping; nothing was written, Retry-After says when to ask again',
  507: 'No room left to store the batch; nothing was written',
};

const requestId = { 'X-Request-Id': { description: 'the id of the request, also in the log', schema: string } };

function failed(...codes: readonly number[]): Record<string, unknown> {
  const content = { 'application/json': { schema: ref('Error') } };
  const all = codes.map((code) => [code, { description: statuses[code], headers: requestId, content }] as const);
  return { ...Object.fromEntries(all), default: { description: 'Any other failure', headers: requestId, content } };
}

function succeeded(description: string, schema: JsonSchema): Record<string, unknown> {
  return { 200: { description, headers: requestId, content: { 'application/json': { schema } } } };
}

/** `ProductGroup` for `product_group`. */
function pascal(name: string): string {
  return name.replace(/(?:^|_)(.)/g, (_all, letter: string) => letter.toUpperCase());
}

const securityRule = (scope: string) => [{ apiKey: [scope] }];

function readOperation(resource: Resource): JsonSchema {
  const { key, keyAlias, title, prefix } = resource;
  const names = [key, ...(keyAlias === undefined ? [] : [keyAlias]), 'id'];
  const notes: Record<string, string> = { [key]: `takes precedence over id`, id: `identifier, ${prefix}…` };
  const parameters = names.map((name) => ({
    name,
    in: 'query',
    required: false,
    description: notes[name] ?? `another name for ${key}`,
    schema: string,
  }));
  return {
    operationId: `read${pascal(resource.name)}`,
    summary: `Read one: ${title.toLowerCase()}`,
    description: `Needs the scope \`${scopeOf(resource, 'read')}\` and one of the parameters.`,
    tags: [resource.name],
    security: securityRule(scopeOf(resource, 'read')),
    parameters: [...parameters, includeParameter(resource)],
    responses: {
      ...succeeded('The record', enveloped(ref(pascal(resource.name)))),
      ...failed(400, 401, 403, 404, 429, 500, 503),
    },
  };
}

const listParameters = {
  cursor: 'next_cursor of the page before; the first page without it',
  limit: `most records of the page, 1 to ${pageLimits.most}; ${pageLimits.usual} when not given. A page may have fewer, even none, before the end`,
  updated_since: `only records that changed since: ${sinceForms}`,
} as const;

function includeParameter(resource: Resource): JsonSchema {
  const words = includeWords(resource);
  return {
    name: 'include',
    in: 'query',
    required: false,
    description: `what to add to the record, separated by commas: ${words.join(', ')}; names come with any of them`,
    schema: { type: 'string', pattern: `^(?:(?:${words.join('|')})(?:,|$))*$` },
  };
}

function listOperation(resource: Resource): JsonSchema {
  const name = pascal(resource.name);
  const parameters = Object.entries(listParameters).map(([parameter, description]) => ({
    name: parameter,
    in: 'query',
    required: false,
    description,
    schema: parameter === 'limit' ? { type: 'integer', minimum: 1, maximum: pageLimits.most } : string,
  }));
  const page = object({
    object: { const: 'list' },
    resource: { const: resource.name },
    data: { type: 'array', items: ref(name), maxItems: pageLimits.most },
    next_cursor: { type: ['string', 'null'], description: 'cursor of the next page; null at the end' },
  });
  return {
    operationId: `list${name}`,
    summary: `List: ${resource.title.toLowerCase()}`,
    description: `Records page by page, deleted ones too, in an order that does not change. Needs the scope \`${scopeOf(resource, 'read')}\`.`,
    tags: [resource.name],
    security: securityRule(scopeOf(resource, 'read')),
    parameters: [...parameters, includeParameter(resource)],
    responses: { ...succeeded('A page of records', enveloped(page)), ...failed(400, 401, 403, 429, 500, 503) },
  };
}

function importOperation(resource: Resource): JsonSchema {
  const idempotencyKey = {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: 'The same key and body again within 24 h gives the first report again and imports nothing.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  };
  return {
    operationId: `import${pascal(resource.name)}`,
    summary: `Import a batch: ${resource.title.toLowerCase()}`,
    description: `At most ${resource.limit} items. Needs the scope \`${scopeOf(resource, 'write')}\`.`,
    tags: [resource.name],
    security: securityRule(scopeOf(resource, 'write')),
    parameters: [idempotencyKey],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: ref(`${pascal(resource.name)}Batch`) } },
    },
    responses: {
      ...succeeded('What became of each item', enveloped(ref(`${pascal(resource.name)}Report`))),
      ...failed(400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 507),
    },
  };
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

function healthPath(name: string, summary: string): JsonSchema {
  const responses = {
    ...succeeded('It is', enveloped(object({ object: { const: 'health' }, status: string }))),
    ...failed(400, 503),
  };
  return { get: { operationId: name, summary, tags: ['service'], security: [], responses } };
}

/** The description of the whole service. */
export function openApi(resources: readonly Resource[]): JsonSchema {
  const paths = resources.flatMap((resource) => [
    [pathOf(resource), { get: readOperation(resource), post: importOperation(resource) }],
    [listPathOf(resource), { get: listOperation(resource) }],
  ]);
  const self = succeeded('This document', { type: 'object' });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Catalog import',
      version: '1',
      description: 'Batch import, single read and list of the catalog of an online shop. /v1 changes by addition only.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [
      ...resources.map(({ name, title }) => ({ name, description: title })),
      { name: 'service', description: 'Health and description of the service' },
    ],
    paths: {
      ...Object.fromEntries(paths),
      '/livez': healthPath('livez', 'Whether the process answers'),
      '/readyz': healthPath('readyz', 'Whether requests should be sent here'),
      '/openapi.json': {
        get: {
          operationId: 'openapi',
          summary: 'This document',
          tags: ['service'],
          security: [],
          responses: { ...self, ...failed(400) },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer cik_…; made by `keys create`' },
      },
      schemas: { Error: error, Line: line, ...Object.assign({}, ...resources.map(schemasOf)) },
    },
  };
}
