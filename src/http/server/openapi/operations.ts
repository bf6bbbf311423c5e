// The operations of a resource in /openapi.json: read one, list, import a batch.
import type { JsonSchema } from '../../../core/fields/json-schema.js';
import { sinceForms } from '../../../core/reading/parse-since.js';
import { conditionFields } from '../../../core/reading/record-conditions.js';
import { includeWords } from '../../../core/reading/record-view.js';
import type { Resource } from '../../../core/resource.js';
import { pageLimits, scopeOf } from '../../protocol.js';
import { bodyLimit } from '../imports/request-envelope.js';
import { itemExample, recordExample, reportExamples, success } from './examples.js';
import { failed, importHeaders, notModified, readHeaders, succeeded } from './responses.js';
import { enveloped, object, pascal, ref, string } from './schema-parts.js';

const securityRule = (scope: string) => [{ apiKey: [scope] }];

interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema?: JsonSchema;
  readonly example?: unknown;
}

function queryParameter({ name, description, schema = string, example }: Parameter): JsonSchema {
  return { name, in: 'query', required: false, description, schema, ...(example !== undefined && { example }) };
}

const ifNoneMatch: JsonSchema = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier answer: while it is the same, the answer is 304 without a body.',
  schema: string,
};

export function readOperation(resource: Resource): JsonSchema {
  const { name, key, keyAlias, title, prefix } = resource;
  const parameters: Parameter[] = [
    { name: key, description: 'takes precedence over id', example: itemExample(resource)[key] },
    ...(keyAlias === undefined ? [] : [{ name: keyAlias, description: `another name for ${key}` }]),
    { name: 'id', description: `identifier, ${prefix}…` },
  ];
  const scope = scopeOf(resource, 'read');
  const found = {
    schema: enveloped(ref(pascal(name))),
    headers: readHeaders,
    example: success(recordExample(resource)),
  };
  return {
    operationId: `read${pascal(name)}`,
    summary: `Read one ${title.toLowerCase()}`,
    description: `Needs the scope \`${scope}\` and one of the parameters. HEAD gives the same without the body.`,
    tags: [name],
    security: securityRule(scope),
    parameters: [...parameters.map(queryParameter), includeParameter(resource), ifNoneMatch],
    responses: {
      ...succeeded({ description: 'The record', ...found }),
      ...notModified,
      ...failed([400, 401, 403, 404, 429, 500, 503], resource),
    },
  };
}

function includeParameter(resource: Resource): JsonSchema {
  const words = includeWords(resource);
  const description = `what to add to the record, separated by commas: ${words.join(', ')}; names come with any of them where the key may read what they name, and need its scope where they are asked for`;
  const schema = { type: 'string', pattern: `^(?:(?:${words.join('|')})(?:,|$))*$` };
  return queryParameter({ name: 'include', description, schema });
}

const listParameters: readonly Parameter[] = [
  { name: 'cursor', description: 'next_cursor of the page before; the first page without it' },
  {
    name: 'limit',
    description: `most records of the page, 1 to ${pageLimits.most}; ${pageLimits.usual} when not given. A page may have fewer, even none, before the end`,
    schema: { type: 'integer', minimum: 1, maximum: pageLimits.most },
  },
  { name: 'updated_since', description: `only records that changed since: ${sinceForms}` },
];

/** The parameters that name a field. */
function conditionParameters(resource: Resource): JsonSchema[] {
  const named = resource.details['names']?.shape ?? {};
  return conditionFields(resource).map((name) =>
    queryParameter({
      name,
      description: `only records with this value${`${name}_name` in named ? ', an identifier or a name' : ''}`,
    }),
  );
}

export function listOperation(resource: Resource): JsonSchema {
  const { name, command } = resource;
  const page = object({
    object: { const: 'list' },
    resource: { const: name },
    data: { type: 'array', items: ref(pascal(name)), maxItems: pageLimits.most },
    next_cursor: { type: ['string', 'null'], description: 'cursor of the next page; null at the end' },
  });
  const example = success({ object: 'list', resource: name, data: [recordExample(resource)], next_cursor: null });
  const scope = scopeOf(resource, 'read');
  return {
    operationId: `list${pascal(name)}`,
    summary: `List ${command}`,
    description: `Records page by page, deleted ones too, in an order that does not change. Needs the scope \`${scope}\`.`,
    tags: [name],
    security: securityRule(scope),
    parameters: [
      ...listParameters.map(queryParameter),
      includeParameter(resource),
      ...conditionParameters(resource),
      ifNoneMatch,
    ],
    responses: {
      ...succeeded({ description: 'A page of records', schema: enveloped(page), headers: readHeaders, example }),
      ...notModified,
      ...failed([400, 401, 403, 429, 500, 503], resource),
    },
  };
}

const idempotencyKey: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'The same key and body again within 24 h gives the first report again and imports nothing.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

const runHeaders: readonly JsonSchema[] = [
  {
    name: 'Catalog-Run',
    in: 'header',
    required: false,
    description:
      'Names the run that the request is a part of: what came with one name can be explained and undone as one.',
    schema: { type: 'string', minLength: 1, maxLength: 100, pattern: '^[!-~]+$' },
  },
  {
    name: 'Catalog-Feed',
    in: 'header',
    required: false,
    description: 'Names the feed that the run is of, such as erp.',
    schema: { type: 'string', minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' },
  },
  {
    name: 'Catalog-Run-End',
    in: 'header',
    required: false,
    description:
      'The run ends with this request, which may have no items. `complete`: it sent every record of this resource that its feed lists, so that values of lower feeds apply to those it sent in an earlier run only. `partial`: it did not.',
    schema: { type: 'string', enum: ['complete', 'partial'] },
  },
  {
    name: 'Catalog-File',
    in: 'header',
    required: false,
    description: 'The name of the file that the items come from, percent-encoded.',
    schema: { type: 'string', minLength: 1, maxLength: 500, pattern: '^[!-~]+$' },
  },
  {
    name: 'Catalog-Lines',
    in: 'header',
    required: false,
    description: 'The lines of the items in that file, in the order of the items, such as `2-41` or `2-5,7,9`.',
    schema: { type: 'string', minLength: 1, maxLength: 4000, pattern: '^[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*$' },
  },
];

export function importOperation(resource: Resource): JsonSchema {
  const { name, command, limit, key } = resource;
  const scope = scopeOf(resource, 'write');
  const mebibytes = bodyLimit(resource) / 1024 / 1024;
  const item = itemExample(resource);
  const batches = {
    import: { summary: 'Import one item', value: { items: [item] } },
    dry_run: {
      summary: 'See what would happen, and what would change',
      value: { items: [item], dry_run: true, diff: true },
    },
  };
  const report = { 'application/json': { schema: ref(`${pascal(name)}Batch`), examples: batches } };
  const { 200: done } = succeeded({
    description: 'What became of each item',
    schema: enveloped(ref(`${pascal(name)}Report`)),
    headers: importHeaders,
  }) as { readonly 200: { readonly content: { readonly 'application/json': JsonSchema } } };
  const content = { 'application/json': { ...done.content['application/json'], examples: reportExamples(name, key) } };
  return {
    operationId: `import${pascal(name)}`,
    summary: `Import a batch of ${command}`,
    description: `At most ${limit} items and ${mebibytes} MiB, also when the body is sent with \`Content-Encoding: gzip\` and unpacked. Needs the scope \`${scope}\`.`,
    tags: [name],
    security: securityRule(scope),
    parameters: [idempotencyKey, ...runHeaders],
    requestBody: { required: true, content: report },
    responses: {
      200: { ...done, content },
      ...failed([400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 507], resource),
    },
  };
}
