// Validates every response against /openapi.json: an undocumented status or shape is a failure.
import type { Ajv2020 } from 'ajv/dist/2020.js';
import { resources } from '../../../src/core/resources/index.js';
import { openApi } from '../../../src/http/server/openapi/openapi.js';
import { newAjv } from '../../ajv.js';

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

const document = openApi(resources) as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
};
const ajv = newAjv({ strict: false });
ajv.addSchema({ $id: 'doc', ...document });
const validators = new Map<string, ReturnType<Ajv2020['compile']>>();

/** The schema of an answer; that of an error for what has no operation of its own (404, 405). */
function pointerOf(method: string, path: string, status: number): string {
  const operation = document.paths[path]?.[method.toLowerCase()];
  const response = operation === undefined ? undefined : operation.responses[status] ? String(status) : 'default';
  if (response === undefined || response === 'default') return 'doc#/components/schemas/Error';
  const place = ['paths', path, method.toLowerCase(), 'responses', response, 'content', 'application/json', 'schema'];
  return `doc#/${place.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
}

/** What is wrong with an answer, or ''. */
export function schemaFault(method: string, path: string, status: number, body: unknown): string {
  if (status >= 400 && (body as { code?: unknown }).code !== status) return `code is not ${status}`;
  const pointer = pointerOf(method, path, status);
  let validate = validators.get(pointer);
  if (validate === undefined) {
    validate = ajv.compile({ $ref: pointer });
    validators.set(pointer, validate);
  }
  return validate(body) ? '' : ajv.errorsText(validate.errors);
}
