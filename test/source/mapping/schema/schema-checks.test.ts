// The checks that the schema of a mapping is made of, with their JSON Schemas.
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mappingFault } from '../../../../src/source/mapping/schema/mapping-schema.js';
import {
  type Check,
  filledText,
  flag,
  listOf,
  namesWith,
  oneOrMore,
  refined,
  schemaOf,
  shared,
  whole,
  withForms,
  wordSets,
  words,
} from '../../../../src/source/mapping/schema/schema-checks.js';

// The words that are made here are none of the schema, whose words later files of this worker look at.
const wordsOfSchema = wordSets.length;
afterAll(() => void wordSets.splice(wordsOfSchema));

const isFlag = { type: 'boolean', description: 'true or false' };

describe('the JSON Schema of', () => {
  it.each([
    ['a list', listOf(flag, 'flags', 2), { type: 'array', items: isFlag, minItems: 2, description: 'flags' }],
    ['names', namesWith(flag, 'flags'), { type: 'object', additionalProperties: isFlag, description: 'flags' }],
    [
      'words',
      words({ a: flag }, 'words', ['a']),
      { type: 'object', properties: { a: isFlag }, required: ['a'], additionalProperties: false, description: 'words' },
    ],
    [
      'one or more',
      oneOrMore(flag, 'flags'),
      { anyOf: [isFlag, { type: 'array', items: isFlag, minItems: 1, description: 'flags' }] },
    ],
    ['what is checked further', refined(flag, () => undefined), isFlag],
  ])('%s', (_, check, schema) => expect(schemaOf(check, {})).toEqual(schema));

  it('what refers to itself is a definition, which is made once', () => {
    const tree: Check = shared('tree', words({ leaf: flag, branch: withForms(flag, () => [tree]) }, 'a tree'));
    const definitions = {};
    expect(schemaOf(tree, definitions)).toEqual({ $ref: '#/$defs/tree' });
    const made = { ...definitions };
    expect(made).toMatchObject({
      tree: { properties: { leaf: isFlag, branch: { anyOf: [{ $ref: '#/$defs/tree' }] } } },
    });
    expect(schemaOf(tree, definitions)).toEqual({ $ref: '#/$defs/tree' });
    expect(definitions).toEqual(made);
  });
});

it('words are known to those who document them', () => {
  const known = wordSets.length;
  words({ odd: flag }, 'odd words');
  expect(wordSets.slice(known).map((set) => Object.keys(set))).toEqual([['odd']]);
});

it.each([
  ['a number to 10', whole(1, 10), 0, 'must be a whole number from 1 to 10; 0 was found'],
  ['a number to 10', whole(1, 10), 11, 'must be a whole number from 1 to 10; 11 was found'],
  ['a number to 10', whole(1, 10), 1.5, 'must be a whole number from 1 to 10; 1.5 was found'],
  ['a number', whole(1, Number.MAX_SAFE_INTEGER), 0, 'must be a whole number from 1; 0 was found'],
  ['a number to 10', whole(1, 10), 1, undefined],
  ['a number to 10', whole(1, 10), 10, undefined],
  ['a text', filledText(), '', 'must be a text; "" was found'],
  ['a text', filledText(), 1, 'must be a text; 1 was found'],
  ['a text', filledText(), 'a', undefined],
  ['flags', oneOrMore(flag, 'flags'), [], 'must be flags; an empty list was found'],
  ['flags', oneOrMore(flag, 'flags'), [true], undefined],
])('%s', (_, check, value, message) => expect(check(value, [])?.message).toBe(message));

it('words are at most a hundred levels deep', () => {
  const check = words({}, 'words');
  const at = (levels: number) =>
    check(
      {},
      Array.from({ length: levels }, () => 'a'),
    )?.message;
  expect([at(100), at(101)]).toEqual([undefined, 'is nested deeper than 100 levels']);
});

describe('a mapping', () => {
  const fields = 'fields: { sku: Art }';
  const field = (expression: string) => `fields: { sku: Art, name: { column: A, ${expression} } }`;

  it.each([
    ...[0, 100_000].map((skip) => `read: { skip: ${skip} }\n${fields}`),
    ...['round: 0', 'round: 20', 'take: 1', 'take: 10000', 'take: first'].map(field),
    ...['truncate: { bytes: 1 }', 'truncate: { bytes: 1000000 }'].map(field),
    ...['truncate: { characters: 1 }', 'truncate: { characters: 1000000 }'].map(field),
    ...['path: ">", drop: 0', 'path: ">", drop: 1000', 'trim: true', 'number: true'].map(field),
    field('boolean: { true: [ja], false: [nein] }'),
    field('number: { units: { kg: 1 } }'),
    'fields: { sku: Art, name: { when: [{ if: { of: A, is: b }, then: { column: A } }, { else: c }] } }',
    `file: a/b.csv\n${fields}`,
    `${fields}\nexamples: [{ now: "2026-11-30T12:00:00Z", rows: [{ Art: A }], items: [{ sku: A }] }]`,
    `${fields}\nkeep: { of: A, before: now }`,
  ])('is right: %s', (text) => expect(mappingFault(parse(text))).toBeUndefined());

  it.each([
    [`read: { skip: 100001 }\n${fields}`, 'read.skip', 'a whole number from 0 to 100000'],
    [`read: { skip: -1 }\n${fields}`, 'read.skip', 'a whole number from 0 to 100000'],
    [field('round: 21'), 'fields.name.round', 'a whole number from 0 to 20'],
    [field('take: 0'), 'fields.name.take', 'a whole number from 1 to 10000'],
    [field('take: 10001'), 'fields.name.take', 'a whole number from 1 to 10000'],
    [field('truncate: { bytes: 0 }'), 'fields.name.truncate.bytes', 'a whole number from 1 to 1000000'],
    [field('truncate: { bytes: 1000001 }'), 'fields.name.truncate.bytes', 'a whole number from 1 to 1000000'],
    [field('truncate: { characters: 1000001 }'), 'fields.name.truncate.characters', 'a whole number from 1 to 1000000'],
    [field('truncate: { characters: 9, bytes: 9 }'), 'fields.name.truncate', 'needs one of bytes and characters'],
    [field('path: ">", drop: 1001'), 'fields.name.drop', 'a whole number from 0 to 1000'],
    [field('trim: false'), 'fields.name.trim', 'must be true'],
    [field('number: false'), 'fields.name.number', 'must be true, or words'],
    [field('boolean: { true: ja }'), 'fields.name.boolean.true', 'a list of words'],
    [field('boolean: { no: [nein] }'), 'fields.name.boolean.no', 'is not a word here'],
    [field('when: { of: A }'), 'fields.name.when', 'needs one of is, not'],
    ['fields: { sku: 5 }', 'fields.sku', 'is written "5", in quotes, and the number itself {value: 5}'],
    ['fields: { sku: { column: 2025 } }', 'fields.sku.column', 'if it is a name or a text, write "2025", in quotes'],
    ['fields: { <<: { sku: A }, name: B }', 'fields.<<', 'merge keys (<<) are not read; write the words out here'],
    [field('<<: { trim: true }'), 'fields.name.<<', 'merge keys (<<) are not read; write the words out here'],
    ['fields: { sku: [A, B] }', 'fields.sku', 'several columns are written {columns: […]}'],
    ['fields: { sku: true }', 'fields.sku', 'round: 2}; "true" was found|round: 2}$'],
    ['fields: { sku: Art, attributes: [{ entry: { type: A } }, B] }', 'fields.attributes', 'must be'],
    [`file: ../a.csv\n${fields}`, 'file', "a file's name"],
    [`file: /a.csv\n${fields}`, 'file', "a file's name"],
    [`file: ""\n${fields}`, 'file', "a file's name"],
    [`file: 7\n${fields}`, 'file', "a file's name"],
    [`read: { columns: [A], header: { containing: [A] } }\n${fields}`, 'read.header', 'names the header of a file'],
    [`rows: Art\neach: { split: A, by: "," }\n${fields}`, 'each', 'makes several items of one record'],
    [`${fields}\nexamples: [{ now: "2026-11-30", rows: [{ Art: A }] }]`, 'examples.0.now', 'a time such as'],
    [`${fields}\nexamples: [{ now: "T12:00Z", rows: [{ Art: A }] }]`, 'examples.0.now', 'a time such as'],
    [`${fields}\nexamples: [{ now: 7, rows: [{ Art: A }] }]`, 'examples.0.now', 'a time such as'],
  ])('is wrong: %s', (text, place, message) => {
    const fault = mappingFault(parse(text));
    expect(fault && [fault.path.join('.'), fault.message]).toEqual([
      place,
      expect.stringMatching(message.replace(/[[\]{}().…]/g, '.')),
    ]);
  });
});
