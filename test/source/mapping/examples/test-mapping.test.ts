// `map test`: how an example differs, line by line, and how a mapping is written with what comes out.
import { describe, expect, it } from 'vitest';
import { testMapping, updatedExamples } from '../../../../src/source/mapping/examples/test-mapping.js';
import { tested } from './given.js';

const diffsOf = async (text: string) => (await testMapping(tested(text))).map(({ diff }) => diff);

/** The diff of a product whose photos are other letters than expected; without photos it is expected, or made, not at all. */
async function diffOf(expected: string, given: string): Promise<readonly string[]> {
  const media = [...expected].map((file) => ({ file }));
  const items = media.length === 0 ? [] : [{ sku: 'A', media }];
  const rows = given === '' ? [{ sku: 'A', m: '', out: 'x' }] : [{ sku: 'A', m: [...given].join('|'), out: '' }];
  const examples = JSON.stringify([{ rows, items }]);
  const [diff = []] = await diffsOf(
    `skip: { of: out, is: x }\nfields: { sku: sku, media: m }\nexamples: ${examples}\n`,
  );
  return diff;
}

describe('an example that differs is shown by the fewest lines', () => {
  it.each([
    ['abc', 'abc', ''],
    ['ac', 'abc', ' a,+b, c,…'],
    ['abcd', 'acd', ' a,-b, c,…'],
    ['ab', 'ba', '-a,+b,-b,+a,…'],
    ['abc', 'xyz', '-a,+x,-b,+y,-c,+z,…'],
    ['abcab', 'bab', '-a, b,-c, a,…'],
    ['aabbc', 'abbcc', ' a,-a,+b, b,-b,+c, c,…'],
    ['abcdefgh', 'abcxefgh', ' c,-d,+x, e,…'],
    ['xbcdefghijk', 'abcdefghijy', '-x,+a, b,…, j,-k,+y,…'],
    ['bc', 'abcd', '+a, b, c,+d,…'],
    ['cabd', 'abcd', '-c, a, b,+c, d,…'],
  ])('%s, but %s', async (expected, given, shown) => {
    const lines = await diffOf(expected, given);
    const letters = lines.flatMap((line) => /^([ +-]) *"file": "(\w)"$|^(…)$/.exec(line)?.slice(1).join('') ?? []);
    expect(letters.join()).toBe(shown);
  });

  it('with three lines around it', async () => {
    expect(await diffOf('abcd', 'abce')).toEqual([
      '           "file": "c"',
      '         },',
      '         {',
      '-          "file": "d"',
      '+          "file": "e"',
      '         }',
      '       ],',
      '       "sku": "A"',
      '…',
    ]);
  });

  it('with nothing where an item is', async () => {
    const item = ['  "products": [', '    {', '      "media": [', '        {', '          "file": "a"', '        }'];
    const lines = ['  "problems": [],', ...item, '      ],', '      "sku": "A"', '    }', '  ]'];
    const signed = (sign: string) => lines.map((line) => sign + line);
    expect(await diffOf('', 'a')).toEqual([' {', '-  "problems": []', ...signed('+'), ' }']);
    expect(await diffOf('a', '')).toEqual([' {', ...signed('-'), '+  "problems": []', ' }']);
  });

  it('and as a whole where it is long', async () => {
    const rows = Array.from({ length: 700 }, (_, i) => ({ sku: `S${i}` }));
    const examples = JSON.stringify([
      { rows, items: rows },
      { rows, items: rows.slice(0, 1) },
      { rows: rows.slice(0, 1), items: rows },
    ]);
    const [same, more = [], less = []] = await diffsOf(`fields: { sku: sku }\nexamples: ${examples}\n`);
    expect(same).toEqual([]);
    const one = ['{', '  "problems": [],', '  "products": [', '    {', '      "sku": "S0"', '    }', '  ]', '}'];
    expect(more.slice(0, 10)).toEqual([...one.map((line) => `-${line}`), '+{', '+  "problems": [],']);
    expect(less.slice(-9)).toEqual(['-}', ...one.map((line) => `+${line}`)]);
  });
});

it('resources that an example does not name make nothing in it', async () => {
  const diffs = await diffsOf(`import:
  - { to: categories, keep: { of: cat, empty: false }, fields: { name: cat } }
  - { to: products, fields: { sku: sku } }
examples:
  - { rows: [{ sku: A, cat: "" }], items: { products: [{ sku: A }] } }
  - { rows: [{ sku: A, cat: "" }], items: { categories: [], products: [{ sku: A }] } }
  - { rows: [{ sku: A, cat: B }], items: { categories: [{ name: B }], products: [{ sku: A }] } }
`);
  expect(diffs).toEqual([[], [], []]);
});

describe('a mapping with what comes out', () => {
  const updated = async (text: string) => {
    const mapping = tested(text);
    return updatedExamples(text, await testMapping(mapping), mapping.sections.length === 1);
  };

  it('has its items and problems in the examples that differ, and is the same around them', async () => {
    const text = (...outcomes: [string, string, string]) => `# Prices of  a supplier
fields:   { sku: Art, price: Cost }   # no more
examples:
  # one
  - rows: [ { Art: A, Cost: 9.50 } ]
${outcomes[0]}  - rows: [ { Art: B, Cost: x } ]
${outcomes[1]}  - rows: [ { Art: C, Cost: 1.5 } ]
${outcomes[2]}
tables:   {}   # none
`;
    const same = '    items: [ { sku: C, price: "1.5" } ]\n';
    expect(await updated(text('    items: [{ sku: B }]\n', '    items: [{ sku: B }]\n', same))).toBe(
      text(
        '    items:\n      - sku: A\n        price: "9.50"\n',
        '    problems:\n      - field: price\n        code: field_format\n',
        same,
      ),
    );
  });

  it('is written anew where all of it is in braces', async () => {
    const text = '{ fields:  { sku: Art }, examples: [{ rows: [{ Art: A }] }] } # one\n';
    expect(await updated(text)).toBe(
      '{ fields: { sku: Art }, examples: [ { rows: [ { Art: A } ], items: [ { sku: A } ] } ] } # one\n',
    );
  });

  it('names the resources where there are several', async () => {
    const text = `import:
  - { to: categories, fields: { name: cat } }
  - { to: products, fields: { sku: sku } }
examples:
  - rows: [ { sku: A, cat: B } ]
`;
    expect(await updated(text)).toBe(
      `${text}    items:\n      categories:\n        - name: B\n      products:\n        - sku: A\n`,
    );
  });
});
