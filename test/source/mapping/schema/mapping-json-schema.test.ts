// The JSON Schema of mappings, made of what checks them: it accepts each mapping that is valid, and refuses what editors should
// mark.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { mappingFault, mappingJsonSchema } from '../../../../src/source/mapping/schema/mapping-schema.js';
import { newAjv } from '../../../ajv.js';
import { readPage } from '../../../manual/documentation.js';

const validate = newAjv({ strict: false }).compile(mappingJsonSchema());
const maps = fileURLToPath(new URL('../../../../fixtures/maps/', import.meta.url));

/** The mapping with its questions as texts, as they are read. */
const written = (text: string): unknown => parse(text.replace(/: \?(?=\s|$)/gm, ': "?"'));

describe('the JSON Schema of mappings', () => {
  it.each(readdirSync(maps))('accepts %s', (name) => {
    const mapping = written(readFileSync(`${maps}${name}`, 'utf8'));
    expect(mappingFault(mapping)).toBeUndefined();
    expect([validate(mapping), validate.errors]).toEqual([true, null]);
  });

  it('accepts the mappings of the manual', () => {
    const { blocks } = readPage('mapping');
    const typed = blocks.flatMap(({ language, text }) => {
      if (language === 'yaml') return [text];
      return language === 'sh'
        ? [...text.matchAll(/ > \S+\.yaml <<'END'\n(.*?)\nEND$/gms)].map(([, map = '']) => map)
        : [];
    });
    expect(typed.length).toBeGreaterThan(20);
    for (const text of typed) expect([text, validate(written(text))]).toEqual([text, true]);
  });

  it.each([
    '{ field: { sku: Art } }',
    'fields: { sku: { column: Art, rounds: 2 } }',
    'fields: { sku: { column: Art, round: many } }',
    'fields: { sku: { when: [{ if: { of: Art, over: 0 } }] } }',
    'keep: { of: Art, empty: "yes" }',
    'keep: { any: { of: Art, is: A } }',
    'import: [{ fields: { sku: Art } }]',
    'examples: [{ row: [] }]',
    'read: { decimal: ";" }',
  ])('refuses %s, as the program does', (text) => {
    const mapping = parse(text);
    expect([validate(mapping), mappingFault(mapping) === undefined]).toEqual([false, false]);
  });
});
