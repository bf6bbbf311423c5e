// Bodies made of the schemas and then mutated, sent to a real server. No bytes may earn a 5xx, and every answer must
// be one that /openapi.json describes. A million: npm run proof:fuzz
import fc from 'fast-check';
import type { Field, Fields } from '../../../src/core/fields/fields.js';
import type { Resource } from '../../../src/core/resource.js';
import { resources } from '../../../src/core/resources/index.js';
import { pathOf } from '../../../src/http/protocol.js';
import { anyCharacter } from '../../any-character.js';
import type { GivenServer } from './given-server.js';

const nasty = fc.constantFrom<unknown>(
  null,
  true,
  '',
  ' ',
  0,
  -0,
  -1,
  1e308,
  1e21,
  1e-7,
  2 ** 53,
  0.1,
  '1e3',
  '12,50',
  '\0',
  '\ud800',
  '\udc00x',
  '😀',
  '𝒳'.repeat(64),
  'x'.repeat(190),
  'x'.repeat(191),
  'é'.repeat(95),
  'é'.repeat(96),
  'x'.repeat(3000),
  '__proto__',
  'constructor',
  [],
  {},
  [[]],
  [null],
  { toString: 1, valueOf: 2, hasOwnProperty: 3 },
  'cate_',
  'prod_x',
  'attr_00000000000000000000000000',
  "'; DROP TABLE product; --",
  'İ',
  'ẞ',
  '\u202e',
  'a\u0301',
  new Array(401).fill({}),
  Number.MIN_SAFE_INTEGER,
);

/** Names are drawn from few, so that items meet: one's parent, another's duplicate. */
const name = fc.constantFrom('Colour', 'colour', 'A', 'B', 'Ä', 'Capacity', ' A ', 'S-1', 'S-2', 'new');

function sampleOf(field: Field): fc.Arbitrary<unknown> {
  switch (field.kind) {
    case 'text':
      if (field.format === 'hex') return fc.constantFrom('#ff0000', '00FF00', 'red', '');
      if (field.format === 'currency') return fc.constantFrom('EUR', 'usd', 'XXX', 'euro');
      if (field.format === 'language') return fc.constantFrom('eng', 'deu', 'xxx', 'EN');
      return fc.oneof({ weight: 3, arbitrary: name }, fc.string({ unit: anyCharacter, maxLength: 40 }));
    case 'choice':
      return fc.constantFrom(...field.values);
    case 'integer':
      return fc.oneof(fc.integer({ min: -2, max: 9 }), fc.maxSafeInteger());
    case 'decimal':
      return fc.oneof(fc.double({ min: 0, max: 1000 }), fc.constantFrom('1.50', '0', '12.345', '12.500', ''));
    case 'boolean':
      return fc.boolean();
    case 'reference':
      return fc.oneof(name, fc.constantFrom('cate_a', 'prod_1', 'file_1', 'file_2', 'attr_x', ''));
    case 'list':
      return fc.array(itemOf(field.entry), { maxLength: 4 });
  }
}

function itemOf(fields: Fields): fc.Arbitrary<unknown> {
  const members = Object.entries(fields).map(([key, field]) => {
    const value = fc.oneof({ weight: 12, arbitrary: sampleOf(field) }, { weight: 1, arbitrary: nasty });
    return [key, value] as const;
  });
  const required = Object.keys(fields).filter((key) => fields[key]?.required);
  const item = fc.record(Object.fromEntries(members), { requiredKeys: required });
  return fc.oneof({ weight: 20, arbitrary: item }, { weight: 1, arbitrary: nasty });
}

function envelopeOf(resource: Resource): fc.Arbitrary<unknown> {
  const items = fc.array(itemOf(resource.fields), { maxLength: 4 });
  return fc.oneof(
    {
      weight: 20,
      arbitrary: fc.record({ items, dry_run: fc.boolean(), diff: fc.boolean() }, { requiredKeys: ['items'] }),
    },
    { weight: 1, arbitrary: fc.record({ items: nasty, dry_run: nasty, diff: nasty }, { requiredKeys: [] }) },
    { weight: 1, arbitrary: nasty },
  );
}

interface Mutation {
  readonly kind: 'none' | 'cut' | 'flip' | 'insert' | 'rename' | 'number';
  readonly at: number;
  readonly byte: number;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('none', 'none', 'none', 'none', 'cut', 'flip', 'insert', 'rename', 'number'),
  at: fc.nat({ max: 1_000_000 }),
  byte: fc.nat({ max: 255 }),
});

function mutate(text: string, { kind, at, byte }: Mutation): Buffer {
  const bytes = Buffer.from(text);
  const place = at % (bytes.length + 1);
  if (kind === 'cut') return bytes.subarray(0, place);
  if (kind === 'insert') return Buffer.concat([bytes.subarray(0, place), Buffer.from([byte]), bytes.subarray(place)]);
  if (kind === 'flip' && place < bytes.length) bytes[place] = byte;
  if (kind === 'rename') return Buffer.from(text.replace(/"(\w+)":/, byte % 2 ? '"__proto__":' : '"constructor":'));
  if (kind === 'number')
    return Buffer.from(text.replace(/:\d+/, [':1e400', ':-0', ':9007199254740993', ':01'][byte % 4] ?? ''));
  return bytes;
}

const resource = fc.constantFrom(...resources);

/** Bodies for one resource: an envelope as it was made, and mutated in several ways, since making one is what costs. */
const bodies: fc.Arbitrary<readonly (readonly [Resource, Buffer])[]> = resource.chain((it) =>
  fc.tuple(envelopeOf(it), fc.array(mutation, { minLength: 4, maxLength: 4 })).map(([body, ways]) => {
    const text = JSON.stringify(body);
    return ways.map((way) => [it, mutate(text, way)] as const);
  }),
);

/** Sends `count` bodies and counts the statuses of the responses. Throws on a 5xx and on an answer out of schema. */
export async function fuzz(given: GivenServer, count: number, seed: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  await fc.assert(
    fc.asyncProperty(fc.array(bodies, { minLength: 4, maxLength: 4 }), async (sets) => {
      const answers = await Promise.all(sets.flat().map(([it, body]) => given.post(pathOf(it), body)));
      for (const { status, body } of answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status >= 500) throw new Error(`status ${status}: ${JSON.stringify(body)}`);
      }
    }),
    { numRuns: Math.ceil(count / 16), seed, endOnFailure: true },
  );
  return statuses;
}
