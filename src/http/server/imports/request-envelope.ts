// Parses the body of an import into its envelope. Hostile input is refused before anything is allocated for it.
import * as z from 'zod';
import { type OnlyAction, onlyActions } from '../../../core/only-action.js';
import type { Resource } from '../../../core/resource.js';
import { parseJson } from '../../../core/text/parse-json.js';
import { type Failure, failures, isFailure } from '../../protocol.js';

/** The deepest nesting of arrays and objects that a body may have. */
const deepest = 16;

/**
 * The most objects and arrays of a body: several times what its items may hold together. Each takes two bytes to send and
 * more than fifty once it is parsed: 16 MiB of them took 850 MiB.
 */
export const mostObjects = 200_000;

/** The members of a request in addition to the items; also used for its schema in /openapi.json. */
export const envelope = z.object({
  items: z.array(z.unknown()).describe('the records to import'),
  dry_run: z.boolean().optional().describe('nothing is written; the report says what would happen'),
  diff: z.boolean().optional().describe('each line of the report carries what changed'),
  only: z
    .enum(onlyActions)
    .optional()
    .describe(
      '`update`: records that do not exist are not created; `create`: those that exist are not changed. An item that is left out ' +
        'is `unchanged`, with the notice `not_created` or `not_updated`',
    ),
  listed: z
    .array(z.string())
    .optional()
    .describe(
      'with `Catalog-Run-End: complete` and `Catalog-Feed`: the keys of all records of this resource that the feed lists, also ' +
        'of those that were not sent or were refused; what it listed before and does not list now counts as missing',
    ),
});

export interface ImportEnvelope {
  readonly items: readonly unknown[];
  readonly dryRun: boolean;
  readonly diff: boolean;
  readonly only?: OnlyAction;
  /** The keys that the feed of the run lists; undefined if they were not sent. */
  readonly listed?: readonly string[];
}

const mebibyte = 1024 * 1024;

/**
 * Maximum size of a body for a resource, in bytes: 16 MiB; 32 if an item has a list of hundreds of
 * entries with a note each, so that 25 characteristics of 400 values fit when they are written as UTF-8.
 */
export function bodyLimit(resource: Resource): number {
  return (resource.name === 'attribute' ? 32 : 16) * mebibyte;
}

/**
 * Parses the body of an import. The order of checks is that of the rules (manual/rules.md): JSON, envelope, then the batch's length.
 */
export function parseEnvelope(resource: Resource, body: Buffer): ImportEnvelope | Failure {
  const json = parse(body);
  if (isFailure(json)) return json;
  const sent = json.value;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    return failures.invalid_parameter('', 'The body is not an object. Use {"items": [...]}.');
  }
  const items: unknown = Object.hasOwn(sent, 'items') ? (sent as { items: unknown }).items : undefined;
  if (items === undefined || items === null) return failures.missing_parameter('items');
  // Before zod, which collects an issue per element.
  if (Array.isArray(items) && items.length > resource.limit) {
    return failures.batch_too_large(items.length, resource.limit);
  }
  const checked = envelope.safeParse(sent);
  if (checked.success) {
    const { items: sentItems, dry_run: dryRun = false, diff = false, only, listed } = checked.data;
    return { items: sentItems, dryRun, diff, ...(only && { only }), ...(listed && { listed }) };
  }
  const member = String(checked.error.issues[0]?.path[0] ?? '');
  return failures.invalid_parameter(member, `${member} is not ${wanted[member] ?? 'a boolean'}.`);
}

/** What members are that are no switches. */
const wanted: Readonly<Record<string, string>> = {
  items: 'an array',
  listed: 'an array of strings',
  only: onlyActions.join(' or '),
};

const decoder = new TextDecoder('utf-8', { fatal: true });

function parse(body: Buffer): { readonly value: unknown } | Failure {
  const failure = structureFailure(body);
  if (failure !== undefined) return failure;
  let text: string;
  try {
    text = decoder.decode(body);
  } catch {
    return failures.invalid_json('The body is not UTF-8.');
  }
  try {
    return { value: parseJson(text) };
  } catch {
    return failures.invalid_json(text.trim() === '' ? 'The body is empty.' : 'The body is not JSON.');
  }
}

const quote = 0x22;
const backslash = 0x5c;

/** A part of a body: V8 reads the bytes of a large body, whose buffer can grow, half as fast. */
const block = Buffer.alloc(64 * 1024);

/** Counts brackets outside strings; the count may be wrong for invalid JSON, which the parser refuses anyway. */
function structureFailure(body: Buffer): Failure | undefined {
  let depth = 0;
  let objects = 0;
  let isString = false;
  // An escaped character may be the first of the next block.
  for (let start = 0, i = 0; start < body.length; start += block.length, i -= block.length) {
    const length = body.copy(block, 0, start);
    for (; i < length; i++) {
      const byte = block[i];
      if (isString) {
        if (byte === backslash) i++;
        else if (byte === quote) isString = false;
      } else if (byte === quote) {
        isString = true;
      } else if (byte === 0x7b || byte === 0x5b) {
        if (++depth > deepest) return failures.invalid_json(`The body is nested deeper than ${deepest}.`);
        if (++objects > mostObjects) return failures.too_many_objects(mostObjects);
      } else if (byte === 0x7d || byte === 0x5d) {
        depth--;
      }
    }
  }
  return undefined;
}
