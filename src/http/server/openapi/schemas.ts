// The schemas of /openapi.json: what is sent, what is answered, and the codes in it.
import { z } from 'zod';
import { type Message, notices, refusals } from '../../../core/diagnostics/refusal-codes.js';
import { itemSchema, type JsonSchema, readSchema } from '../../../core/fields/json-schema.js';
import type { Resource } from '../../../core/resource.js';
import { envelope } from '../request-envelope.js';
import { failureSamples } from './failure-samples.js';
import { integer, object, pascal, ref, string } from './schema-parts.js';

/** A text of a list that later versions may add to: not a closed one, so that clients that check it go on working. */
function openList(description: string, words: readonly string[]): JsonSchema {
  return { type: 'string', pattern: '^[a-z0-9_]+$', description, 'x-extensible-enum': words };
}

function codeList(about: string, codes: Readonly<Record<string, Message>>): JsonSchema {
  const lines = Object.entries(codes).map(
    ([code, { title, meaning, remedy }]) => `| \`${code}\` | ${title} | ${cell(meaning)} ${cell(remedy)} |`,
  );
  const table = ['| code | title | meaning and remedy |', '|---|---|---|', ...lines].join('\n');
  return openList(`${about} More may be added; a released code keeps its meaning.\n\n${table}`, Object.keys(codes));
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function errorList(resources: readonly Resource[]): JsonSchema {
  const samples = new Map(resources.flatMap(failureSamples).map((failure) => [failure.error, failure]));
  const sorted = [...samples.values()].sort((a, b) => a.status - b.status);
  const lines = sorted.map(({ status, error, message }) => `| ${status} | \`${error}\` | ${cell(message)} |`);
  const table = ['| status | error | message |', '|---|---|---|', ...lines].join('\n');
  return openList(
    `The stable word to branch on. More may be added.\n\n${table}`,
    sorted.map(({ error }) => error),
  );
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

/** Every schema by its name. */
export function schemas(resources: readonly Resource[]): Record<string, JsonSchema> {
  return {
    Error: error,
    ErrorWord: errorList(resources),
    Line: line,
    LineCode: codeList('Why an item was refused.', refusals),
    NoticeCode: codeList(
      'What is worth knowing of an item; on a refused line also the codes of its further problems.',
      notices,
    ),
    ...Object.assign({}, ...resources.map(schemasOf)),
  };
}
