// The sections of a suggestion that make the characteristics of products, by the forms in which a file has them.
import { expect, it } from 'vitest';
import { suggested } from '../../suggested.js';

/** A file of four products with the given columns for their characteristics. */
const feed = (header: string, rows: readonly string[]) =>
  suggested([`sku,name,price,${header}`, ...rows.map((row, i) => `A-${i},Cup no ${i},1.50,${row}`)].join('\n'));

const named = `  - to: characteristics
    each: { repeated: { name: "attributes[{n}].type" }, optional: true, skip: { of: $name, empty: true } }
    once: first
    fields: { name: $name }
`;
const valued = (each: string, names: string) => `  - to: characteristics
    each: ${each}
    once: merge
    fields:
      name: $name
      # Only these have values that occur again; of others any value is accepted.
      values: { add: { keep: { of: $name, is: [${names}] }, entry: { label: $value } } }
`;
const colours = ['red', 'red', 'blue', 'blue'];
const ofColour = valued('{ columns: { "attributes[Colour]": "Colour" } }', '"Colour"');

it('characteristics that have names, and no values, are made by their names; others with the values to choose from', async () => {
  const rows = ['Handmade,red', 'Vintage,red', 'Handmade,blue', 'Vintage,blue'];
  const { yaml } = await feed('attributes[0].type,attributes[Colour]', rows);
  expect(yaml).toContain(named + ofColour);
});

it('characteristics that have names and values are made with the values to choose from', async () => {
  const rows = ['Size,L,red', 'Size,M,red', 'Size,L,blue', 'Size,M,blue'];
  const { yaml } = await feed('attributes[0].type,attributes[0].value,attributes[Colour]', rows);
  const each = '{ repeated: { name: "attributes[{n}].type", value: "attributes[{n}].value" }, optional: true';
  expect(yaml).toContain(`    each: ${each}, skip: { of: $name, empty: true } }\n    once: merge\n`);
  expect(yaml).toContain(ofColour);
});

it('where no values occur again, any value is accepted', async () => {
  const { yaml } = await feed('attributes[Depth],attributes[Colour]', ['1,a', '2,b', '3,c', '4,d']);
  expect(yaml).not.toContain('values:');
});

it('an empty column is no characteristic', async () => {
  const { yaml } = await feed(
    'attributes[Depth],attributes[Colour]',
    colours.map((one) => `,${one}`),
  );
  expect(yaml).toContain(ofColour);
});

it.each([
  ['190 bytes', 190, true],
  ['more', 191, false],
])('values of %s can be chosen from: %s', async (_, bytes, can) => {
  const { yaml } = await feed(
    'attributes[Colour]',
    colours.map((one) => one.padEnd(bytes, 'x')),
  );
  expect(yaml.includes(ofColour)).toBe(can);
});

it('characteristics that the catalog has given numbers are not made', async () => {
  const { yaml } = await feed('attributes[0].type,attributes[0].value', ['Size,L', 'attr_12,M', 'Size,L', 'Size,M']);
  expect(yaml).not.toContain('- to: characteristics');
});

it.each([
  [
    'attributes',
    'Colour=Red|Size=L',
    '- to: characteristics\n    each: { pairs: "attributes", by: "|", equals: "=", skip: { of: $name, empty: true } }\n    once: first\n    fields: { name: $name }\n',
  ],
  [
    'media',
    'a.jpg|b.jpg',
    '- to: files\n    each: { split: "media", by: "|" }\n    once: first\n    fields: { id: $value }\n',
  ],
  [
    'attributes',
    '"[{""type"":""Size"",""value"":""L""}]"',
    '- to: characteristics\n    each: { parallel: { name: { json: "attributes[].type" }, value: { json: "attributes[].value" } }, skip: { of: $name, empty: true } }\n    once: first\n    fields: { name: $name }\n',
  ],
  [
    'media',
    '"[{""file"":""a.jpg""}]"',
    '- to: files\n    each: { parallel: { name: { json: "media[].file" } }, skip: { of: $name, empty: true } }\n    once: first\n    fields: { id: $name }\n',
  ],
])('what a list in one cell refers to is made: %s of %s', async (header, cell, section) => {
  expect((await feed(header, [cell, cell, '', cell])).yaml).toContain(section);
});

it('what lists of objects refer to is made, though some records have no entries', async () => {
  const records = [...colours, undefined].map((value, i) => ({
    ...{ sku: `A-${i}`, name: `Cup no ${i}`, price: 1.5 },
    attributes: value === undefined ? [] : [{ type: 'Colour', value }],
  }));
  const { yaml } = await suggested(JSON.stringify(records), 'feed.json');
  const lists = 'name: "attributes[].type", value: "attributes[].value"';
  expect(yaml).toContain(
    `- to: characteristics\n    each: { parallel: { ${lists} }, skip: { of: $name, empty: true } }\n`,
  );
});
