// /openapi.json: OpenAPI 3.1, generated from what validates requests (field descriptors, the envelope) and from the
// read shapes.
import type { JsonSchema } from '../../../core/fields/json-schema.js';
import type { Resource } from '../../../core/resource.js';
import { listPathOf, pathOf } from '../../protocol.js';
import { codeTables, foldedTable } from './code-tables.js';
import { success } from './examples.js';
import { importOperation, listOperation, readOperation } from './operations.js';
import { failed, headers, succeeded } from './responses.js';
import { enveloped, integer, object, string } from './schema-parts.js';
import { schemas } from './schemas.js';

const about = `Batch import, single read and list of the catalog of an online shop. /v1 changes by addition only.

Import in this order, since each refers to the earlier ones: characteristics, categories, product groups, products, reviews.

Every request to /v1 carries \`Authorization: Bearer <API_KEY>\`; \`catalog-import keys create\` makes a key. Every answer has
\`code\`, \`title\` and \`response\`.`;

/** How many workers are to serve, and how many do. */
const workers = object({ wanted: integer, serving: integer });

function healthPath(name: string, summary: string, example: JsonSchema): JsonSchema {
  const members = Object.keys(example).map((member) => [member, member === 'workers' ? workers : string] as const);
  const schema = enveloped(object({ object: { const: 'health' }, ...Object.fromEntries(members) }));
  const responses = {
    ...succeeded({ description: 'It is', schema, example: success({ object: 'health', ...example }) }),
    ...failed([400, 503]),
  };
  return { get: { operationId: name, summary, tags: ['service'], security: [], responses } };
}

const documentPath: JsonSchema = {
  get: {
    operationId: 'openapi',
    summary: 'This document',
    description: '`/docs` shows it in a browser.',
    tags: ['service'],
    security: [],
    responses: {
      ...succeeded({ description: 'This document', schema: { type: 'object' }, headers: ['ETag'] }),
      ...failed([400]),
    },
  },
};

const rootPath: JsonSchema = {
  get: {
    operationId: 'service',
    summary: 'Where this document is',
    tags: ['service'],
    security: [],
    responses: {
      ...succeeded({
        description: 'Paths of this server',
        schema: enveloped(object({ object: { const: 'service' }, name: string, docs: string, openapi: string })),
        example: success({ object: 'service', name: 'catalog-import', docs: '/docs', openapi: '/openapi.json' }),
      }),
      ...failed([400]),
    },
  },
};

export function openApi(resources: readonly Resource[]): JsonSchema {
  const paths = resources.flatMap((resource) => [
    [pathOf(resource), { get: readOperation(resource), post: importOperation(resource) }],
    [listPathOf(resource), { get: listOperation(resource) }],
  ]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Catalog import',
      version: '1',
      description: [about, ...codeTables(resources).map(foldedTable)].join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/', description: 'This server' }],
    tags: [
      ...resources.map(({ name, title }) => ({ name, description: title })),
      { name: 'service', description: 'Health and description of the service' },
    ],
    paths: {
      ...Object.fromEntries(paths),
      '/': rootPath,
      '/livez': healthPath('livez', 'Whether the process answers', { status: 'live' }),
      '/readyz': healthPath('readyz', 'Whether requests should be sent here', {
        status: 'ready',
        workers: { wanted: 2, serving: 2 },
      }),
      '/openapi.json': documentPath,
    },
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'Authorization: Bearer cik_…; made by `keys create`' },
      },
      headers,
      schemas: schemas(resources),
    },
  };
}
