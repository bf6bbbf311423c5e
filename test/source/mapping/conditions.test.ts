// Conditions and values by condition: what each word says, what is refused before the first row, and a model of them all.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addNumbers } from '../../../src/source/mapping/values/plain-numbers.js';
import { allowed } from '../../tier.js';
import { readMapped } from './given.js';

/** Which of the values a condition keeps, each in a row of its own. */
async function kept(condition: string, values: readonly string[], read = '{}') {
  const rows = values.map((value, i) => `${i},"${value}"\n`).join('');
  const outcome = await readMapped(`read: ${read}\nkeep: ${condition}\nfields: { sku: no }`, `no,A\n${rows}`);
  return outcome.items.map((item) => (typeof item === 'string' ? item : values[Number((item as { sku: string }).sku)]));
}

describe('a condition', () => {
  it.each([
    ['{ of: A, over: 10 }', ['9.99', '10', '10.00', '10.01', '9007199254740993'], ['10.01', '9007199254740993']],
    ['{ of: A, over: "9007199254740992" }', ['9007199254740992', '9007199254740993'], ['9007199254740993']],
    ['{ of: A, at_least: 0.3 }', ['0.29999999999999999', '0.3', '0.30'], ['0.3', '0.30']],
    ['{ of: A, under: 0 }', ['-0.01', '0', '-0'], ['-0.01']],
    ['{ of: A, at_most: 7, at_least: 5 }', ['4', '5', '7', '8'], ['5', '7']],
    ['{ of: A, matches: "^[A-Z]-[0-9]+$" }', ['A-1', 'a-1', 'A-', 'AA-1'], ['A-1']],
    [
      '{ of: A, before: now }',
      ['2026-11-24', '2026-11-24T11:59', '2026-11-24T12:01', '2026-11-25'],
      ['2026-11-24', '2026-11-24T11:59'],
    ],
    [
      '{ of: A, after: now }',
      ['2026-11-23', '2026-11-24', '2026-11-24T11:59', '2026-11-24T12:01'],
      ['2026-11-24', '2026-11-24T12:01'],
    ],
    ['{ of: A, after: 2026-11-20 }', ['2026-11-20', '2026-11-20T15:00', '2026-11-21'], ['2026-11-21']],
    ['{ of: { column: A, date: DD.MM.YYYY }, before: 2026-11-20 }', ['19.11.2026', '20.11.2026'], ['19.11.2026']],
    ['{ any: [{ of: A, under: 2 }, { of: A, over: 8 }] }', ['1', '5', '9'], ['1', '9']],
    ['{ all: [{ of: A, over: 2 }, { of: A, under: 8 }] }', ['1', '5', '9'], ['5']],
    ['{ not: { of: A, is: red } }', ['red', 'blue', ''], ['blue', '']],
  ])('%s', async (condition, values, expected) => {
    expect(await kept(condition, values)).toEqual(expected);
  });

  it('holds for no empty value, unless it is about emptiness', async () => {
    for (const word of ['over: -5', 'under: 5', 'at_least: -5', 'at_most: 5', 'before: now', 'after: 2000-01-01'])
      expect([word, await kept(`{ of: A, ${word} }`, [''])]).toEqual([word, []]);
    expect(await kept('{ of: { column: A, default: 0 }, under: 5 }', [''])).toEqual(['']);
    expect(await kept('{ of: A, empty: true }', ['', '0'])).toEqual(['']);
  });

  it.each([
    ['{ of: A, over: 0 }', 'many', '"many" is not a number'],
    ['{ of: A, over: 0 }', '1.234', 'is 1234 or 1.234'],
    ['{ of: { column: A, number: true, suffix: " kg" }, over: 0 }', '5', 'is not a number'],
    ['{ of: A, before: now }', '03/04/2026', '"03/04/2026" is not a date'],
    ['{ of: A, after: now }', '2026-02-30', '"2026-02-30" is not a date'],
  ])('%s refuses %s with its column and value', async (condition, value, words) => {
    const { items, problems } = await readMapped(`keep: ${condition}\nfields: { sku: no }`, `no,A\n1,${value}\n`);
    expect(items).toEqual(['!mapping_not_comparable']);
    expect(problems[0]?.message).toContain(words);
    if (!condition.includes('suffix')) expect(problems[0]?.message).toContain('column "A"');
  });

  it('reads numbers in the form of the mapping, and of the column', async () => {
    expect(await kept('{ of: A, over: 1000.5 }', ['1.000,50', '1.000,51'], '{ decimal: "," }')).toEqual(['1.000,51']);
    const own = '{ of: { column: A, number: { decimal: "." } }, over: 1000.5 }';
    expect(await kept(own, ['1,000.50', '1,000.51'], '{ decimal: "," }')).toEqual(['1,000.51']);
  });

  it('compares with another column', async () => {
    const map = 'keep: { of: Sale, under: { column: Price } }\nfields: { sku: no }';
    const { items } = await readMapped(map, 'no,Sale,Price\n1,9.5,10\n2,10.00,10\n3,8,\n');
    expect(items).toEqual([{ sku: '1' }]);
  });
});

describe('when with then', () => {
  const status = 'status: { when: [{ if: { of: stock, over: 0 }, then: activated }, { else: suspended }] }';

  it('gives the value of the first branch that holds', async () => {
    const { items } = await readMapped(`fields: { sku: no, ${status} }`, 'no,stock\n1,7\n2,0\n3,\n4,x\n');
    expect(items).toEqual([
      { sku: '1', status: 'activated' },
      { sku: '2', status: 'suspended' },
      { sku: '3', status: 'suspended' },
      '!mapping_not_comparable',
    ]);
  });

  it('sends nothing where no branch holds', async () => {
    const map = 'fields: { sku: no, status: { when: [{ if: { of: stock, over: 0 }, then: activated }] } }';
    expect((await readMapped(map, 'no,stock\n1,0\n')).items).toEqual([{ sku: '1' }]);
  });

  it('takes margins by band, in a file with decimal commas', async () => {
    const map = `
read: { decimal: "," }
fields:
  sku: no
  price:
    column: cost
    times:
      when:
        - { if: { of: cost, under: 10 }, then: 1.5 }
        - { if: { of: cost, under: 100 }, then: 1.3 }
        - { else: 1.125 }
    round: 2`;
    const { items } = await readMapped(map, 'no;cost\n1;9,99\n2;10\n3;1.200,50\n4;\n');
    expect(items).toEqual([
      { sku: '1', price: '14.99' },
      { sku: '2', price: '13' },
      { sku: '3', price: '1350.56' },
      { sku: '4' },
    ]);
  });

  it('calculates with constants and other forms of numbers in a file with decimal commas', async () => {
    const map = `
read: { decimal: "," }
fields:
  sku: no
  price: { column: cost, times: { value: 1.5 }, plus: { column: fee, number: { decimal: "." } } }`;
    expect((await readMapped(map, 'no;cost;fee\n1;9,5;0.25\n')).items).toEqual([{ sku: '1', price: '14.50' }]);
    await expect((async () => readMapped(map.replace('1.5', '"1,5"'), 'no;cost;fee\n'))()).rejects.toThrow(
      '"1,5" is not a number such as 12.50',
    );
  });

  it('evaluates only the branch that holds, and steps follow it', async () => {
    const map = `
read: { decimal: "," }
fields:
  sku: no
  price:
    when:
      - { if: [{ of: from, before: now }, { of: until, after: now }], then: { column: sale } }
      - { if: { of: no, is: "3" }, then: 0.3 }
      - { else: { column: price, number: { decimal: "." } } }
    plus: { value: "1" }`;
    const rows = '1;bad;2026-11-01;2026-11-10;5.50\n2;4,50;2026-11-01;2026-11-24;bad\n3;;;;\n';
    const { items } = await readMapped(map, `no;sale;from;until;price\n${rows}`);
    expect(items).toEqual([
      { sku: '1', price: '6.50' },
      { sku: '2', price: '5.50' },
      { sku: '3', price: '1.3' },
    ]);
  });
});

describe('refused before the first row', () => {
  const whens = (branches: string) => `fields: { sku: no, status: { when: ${branches} } }`;
  it.each([
    ['keep: { of: A, ovr: 0 }', /"ovr" is not a word.*over/],
    ['keep: { of: A }', /needs one of is, not/],
    ['keep: { of: A, over: zero }', /must be a number/],
    ['keep: { of: A, over: true }', /must be a number/],
    ['keep: { of: A, over: 1e30 }', /must be a number/],
    ['keep: { of: A, over: .nan }', /must be a number/],
    ['keep: { of: A, over: 1 , before: 2026-13-01 }', /must be now, a date/],
    ['keep: { of: A, before: 03/04/2026 }', /must be now, a date/],
    ['keep: { of: A, empty: "yes" }', /must be true or false/],
    ['keep: { any: [] }', /must be a list of conditions/],
    ['keep: { not: [{ of: A, is: x }] }', /must be a condition/],
    ['keep: { of: A, any: [{ of: A, is: x }] }', /"any" is not a word/],
    ['keep: { of: A, matches: "(a+" }', /is not a regular expression/],
    ['keep: { of: A, matches: "(a)\\\\1" }', /back-references/],
    ['skip: { of: A, matches: "\\bfoo\\b" }', /skip\[0\]\.matches: .*control character U\+0008.*single quotes/],
    ['keep: { of: A, matches: "/RAM/i" }', /write it without them: "\(\?i\)RAM"/],
    ['keep: { of: A, matches: "((a{1000}){1000}){1000}" }', /is not a regular expression/],
    [whens('[{ else: draft }, { if: { of: A, over: 0 }, then: activated }]'), /\[1\]: is never reached/],
    [whens('[{ else: draft }, { else: activated }]'), /\[1\]: is never reached/],
    [whens('[{ if: { of: A, over: 0 } }]'), /needs then/],
    [whens('[{ then: activated }]'), /needs if/],
    [whens('{ if: { of: A, over: 0 }, then: activated }'), /must be a list of branches/],
    [whens('[{ if: { of: A, over: 0 }, then: [activated] }]'), /must be/],
    [whens('[{ if: { of: A, over: 0 }, then: A }]'), /"A" is a column of the file; write \{column: A\}/],
    [`keep: ${'{ not: '.repeat(120)}{ of: A, is: x }${' }'.repeat(120)}`, /nested deeper/],
    [`keep: ${'{ not: '.repeat(9000)}{ of: A, is: x }${' }'.repeat(9000)}`, /nested (?:too deeply|deeper)/],
  ])('%#: %.60s', async (map, words) => {
    const whole = map.startsWith('fields') ? map : `${map}\nfields: { sku: no }`;
    await expect((async () => readMapped(whole, 'no,A\n1,1\n'))()).rejects.toThrow(words);
  });

  it('takes time that is linear in the text for matches', async () => {
    const started = performance.now();
    expect(await kept('{ of: A, matches: "^(a+)+$" }', [`${'a'.repeat(30_000)}!`])).toEqual([]);
    expect(performance.now() - started).toBeLessThan(allowed(2000));
  });
});

type Model = { readonly text: string; readonly holds: (value: string) => boolean };

/** Values of hundredths, so that the model compares whole numbers. */
const amount = fc
  .integer({ min: -300, max: 300 })
  .map((cents) => ({ cents, text: addNumbers('0', (cents / 100).toFixed(2)) }));
const comparison: fc.Arbitrary<Model> = fc
  .tuple(fc.constantFrom('over', 'under', 'at_least', 'at_most'), amount)
  .map(([word, { cents, text }]) => ({
    text: `{ of: A, ${word}: ${text} }`,
    holds: (value) => {
      if (value === '') return false;
      const one = Math.round(Number(value) * 100);
      return { over: one > cents, under: one < cents, at_least: one >= cents, at_most: one <= cents }[word] === true;
    },
  }));
const emptiness: fc.Arbitrary<Model> = fc
  .boolean()
  .map((empty) => ({ text: `{ of: A, empty: ${empty} }`, holds: (value) => (value === '') === empty }));
const { condition } = fc.letrec<{ condition: Model }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    comparison,
    emptiness,
    tie('condition').map((one) => ({ text: `{ not: ${one.text} }`, holds: (value: string) => !one.holds(value) })),
    fc
      .tuple(fc.constantFrom('all', 'any'), fc.array(tie('condition'), { minLength: 1, maxLength: 3 }))
      .map(([word, list]) => ({
        text: `{ ${word}: [${list.map(({ text }) => text).join(', ')}] }`,
        holds: (value: string) =>
          word === 'all' ? list.every((one) => one.holds(value)) : list.some((one) => one.holds(value)),
      })),
  ),
}));

it('conditions and branches agree with a model of them', async () => {
  const values = fc.array(
    fc.oneof(
      fc.constant(''),
      amount.map(({ text }) => text),
    ),
    { minLength: 1, maxLength: 8 },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(condition, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      values,
      async (list, hasElse, given) => {
        const branches = [
          ...list.map(({ text }, i) => `{ if: ${text}, then: b${i} }`),
          ...(hasElse ? ['{ else: other }'] : []),
        ];
        const map = `keep: { any: [${list.map(({ text }) => text).join(', ')}, { of: A, is: none }, { not: ${list[0]?.text} }] }
fields: { sku: no, name: { when: [${branches.join(', ')}] } }`;
        const { items } = await readMapped(map, `no,A\n${given.map((value, i) => `${i},${value}\n`).join('')}`);
        const expected = given.map((value, i) => {
          const at = list.findIndex(({ holds }) => holds(value));
          const name = at !== -1 ? `b${at}` : hasElse ? 'other' : undefined;
          return { sku: String(i), ...(name !== undefined && { name }) };
        });
        expect(items).toEqual(expected);
      },
    ),
    { numRuns: 60 },
  );
});
