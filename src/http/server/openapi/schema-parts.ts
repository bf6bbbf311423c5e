// Building blocks for the schemas of /openapi.json.
import type { JsonSchema } from '../../../core/fields/json-schema.js';

export const string = { type: 'string' } as const;
export const integer = { type: 'integer', minimum: 0 } as const;

/** An object with these members, all of them required except the optional ones. */
export function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  return { type: 'object', properties, required: Object.keys(properties).filter((name) => !optional.includes(name)) };
}

export function ref(name: string): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

export function enveloped(response: JsonSchema): JsonSchema {
  return object({ code: { const: 200 }, title: { const: 'OK' }, response });
}

/** `ProductGroup` for `product_group`. */
export function pascal(name: string): string {
  return name.replace(/(?:^|_)(.)/g, (_all, letter: string) => letter.toUpperCase());
}
