// What a mapping file may say, for the check of one that somebody wrote: each word, and what stands behind it.
import { z } from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const scalars = z.union([scalar, z.array(scalar)]);
const sign = z.enum(['.', ',']);

const pathNames = {
  name: z
    .union([z.enum(['last', 'full', 'parent']), z.strictObject({ repeated: z.enum(['full', 'parent']) })])
    .optional(),
  names: z.enum(['path', 'last']).optional(),
  drop: z.int().min(0).optional(),
};

const expression: z.ZodType = z.lazy(() =>
  z.union([
    z.string(),
    z.strictObject({
      column: z.string().optional(),
      columns: z.array(expression).min(1).optional(),
      first: z.array(expression).min(1).optional(),
      value: scalar.optional(),
      from: expression.optional(),
      template: z.string().optional(),
      optional: z.boolean().optional(),
      trim: z.literal(true).optional(),
      html: z.literal('strip').optional(),
      apostrophe: z.literal('strip').optional(),
      case: z.enum(['lower', 'upper', 'title', 'sentence']).optional(),
      before: z.string().min(1).optional(),
      after: z.string().min(1).optional(),
      replace: z.record(z.string().min(1), scalar).optional(),
      prefix: z.string().optional(),
      suffix: z.string().optional(),
      split: z.string().min(1).optional(),
      starting: z.string().min(1).optional(),
      take: z.union([z.enum(['first', 'last', 'longest']), z.int().min(1)]).optional(),
      join: z.string().optional(),
      path: z.string().min(1).optional(),
      ...pathNames,
      default: scalar.optional(),
      map: z.record(z.string(), scalar).optional(),
      lookup: z.strictObject({ table: z.string(), column: z.string() }).optional(),
      else: scalar.optional(),
      number: z
        .union([
          z.literal(true),
          z.strictObject({
            decimal: sign.optional(),
            grouping: z.literal('indian').optional(),
            ignore: z.union([z.string(), z.array(z.string())]).optional(),
          }),
        ])
        .optional(),
      date: z.union([z.string(), z.array(z.string()).min(1)]).optional(),
      zone: z.string().optional(),
      boolean: z.strictObject({ true: z.array(scalar).optional(), false: z.array(scalar).optional() }).optional(),
      round: z.int().min(0).max(20).optional(),
      shift: z.int().min(-20).max(20).optional(),
      plus: expression.optional(),
    }),
  ]),
);

const condition = z.strictObject({
  of: expression,
  is: scalars.optional(),
  not: scalars.optional(),
  contains: z.string().optional(),
  begins: z.string().optional(),
  empty: z.boolean().optional(),
});
const conditions = z.union([condition, z.array(condition)]);
const choosing = { keep: conditions.optional(), skip: conditions.optional() };

const oneSpread = z.union([
  z.strictObject({ split: expression, by: z.string().min(1) }),
  z.strictObject({ pairs: expression, by: z.string().min(1), equals: z.string().min(1) }),
  z.strictObject({ repeated: z.record(z.string(), z.string().includes('{n}')) }),
  z.strictObject({ parallel: z.record(z.string(), expression), by: z.string().min(1) }),
  z.strictObject({ columns: z.record(z.string(), z.string()) }),
  z.strictObject({ rows_of: z.string(), key: expression }),
  z.strictObject({
    path: expression,
    separator: z.string().min(1),
    list: z.string().min(1).optional(),
    ...pathNames,
  }),
]);
const each = z.union([oneSpread, z.array(oneSpread).min(1)]);

const entries = z.strictObject({ each: each.optional(), ...choosing, entry: z.record(z.string(), expression) });

const section = {
  file: z.string().optional(),
  fill: z.strictObject({ columns: z.array(z.string()).min(1), within: z.string().optional() }).optional(),
  ...choosing,
  rows: expression.optional(),
  each: each.optional(),
  rename: z.record(z.string(), z.string()).optional(),
  set: z.record(z.string(), scalar).optional(),
  fields: z.record(z.string(), z.union([expression, entries, z.array(entries).min(1)])).optional(),
  others: z.boolean().optional(),
  once: z.enum(['first', 'merge']).optional(),
};

const top = {
  read: z
    .strictObject({
      format: z.enum(['csv', 'tsv', 'json', 'ndjson']).optional(),
      encoding: z.string().optional(),
      delimiter: z.string().optional(),
      decimal: sign.optional(),
      zone: z.string().optional(),
      columns: z.array(z.string()).min(1).optional(),
      trim: z.boolean().optional(),
      sheet: z.string().optional(),
    })
    .optional(),
  tables: z
    .record(
      z.string(),
      z.strictObject({
        file: z.string().optional(),
        ...choosing,
        key: expression,
        columns: z.record(z.string(), expression),
      }),
    )
    .optional(),
};

const manySections = z.strictObject({
  ...top,
  import: z.array(z.strictObject({ to: z.string(), ...section })).min(1),
});
const oneSection = z.strictObject({ ...top, to: z.string().optional(), ...section });

/** What is wrong with a mapping, and the path to it; undefined where nothing is. */
export function faultOf(
  mapping: unknown,
): { readonly path: readonly PropertyKey[]; readonly message: string } | undefined {
  const many = typeof mapping === 'object' && mapping !== null && Object.hasOwn(mapping, 'import');
  const checked = (many ? manySections : oneSection).safeParse(mapping);
  if (checked.success) return undefined;
  return deepest(checked.error.issues, []);
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly code?: string;
  readonly errors?: readonly (readonly Issue[])[];
}

/** Of the alternatives that a value could have been, the one it came nearest to tells what is wrong. */
function deepest(issues: readonly Issue[], before: readonly PropertyKey[]): { path: PropertyKey[]; message: string } {
  const told = issues.map((issue) => {
    const path = [...before, ...issue.path];
    if (issue.errors === undefined || issue.errors.length === 0) return { path, message: issue.message };
    const inner = issue.errors.map((branch) => deepest(branch, path));
    return inner.reduce((best, one) => (rank(one) > rank(best) ? one : best));
  });
  return told[0] ?? { path: [...before], message: 'is not understood' };
}

/** Deeper is nearer; at one depth, an unknown word tells more than another kind of value. */
function rank({ path, message }: { path: readonly PropertyKey[]; message: string }): number {
  return path.length * 2 + (message.startsWith('Unrecognized') ? 1 : 0);
}
