// A contract against a model: what is counted, whatever the format of the file.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isGtin } from '../../../src/core/text/gtin.js';
import { expectationsOf } from '../../../src/source/contract/contract.js';
import { contractFault } from '../../../src/source/contract/contract-schema.js';
import { fileRules, valueRules } from '../../../src/source/contract/rule-list.js';
import { openSource } from '../../../src/source/open-source.js';
import { repetitions } from '../../tier.js';
import { product } from '../given.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-import-contract-'));
let files = 0;

const stated = { option: '--expect', name: 'contract.yaml', place: 'expect' };

/** What a contract finds in a file. */
async function judged(contract: object, content: string, name = 'feed.csv', more: object = {}) {
  expect(contractFault(contract)).toBeUndefined();
  const file = join(folder, `${files++}-${name}`);
  writeFileSync(file, content);
  const source = await openSource(product, 'sku', { file, expect: expectationsOf(contract, stated), ...more });
  try {
    for await (const _ of source.chunks);
    return { figures: source.expected?.() ?? [], warnings: source.warnings(), source };
  } finally {
    await source.close();
  }
}

const row = fc.record({
  sku: fc.stringMatching(/^[A-C]-[1-5]$/),
  price: fc.oneof(
    fc.constant(''),
    fc.integer({ min: 0, max: 60 }).map((cents) => (cents / 10).toFixed(2)),
  ),
  ean: fc.constantFrom('', '4006381333931', '4006381333932', '40063813', '0000000000000', '96385074', 'ABC'),
  status: fc.constantFrom('', 'draft', 'Activated', 'suspended'),
  note: fc.constantFrom('', 'x1', 'y2', 'x'),
});

type Row = Readonly<Record<'sku' | 'price' | 'ean' | 'status' | 'note', string>>;

const share = fc.oneof(
  fc.constant(true),
  fc.integer({ min: 0, max: 100 }).map((percent) => `${percent}%`),
);
const contract = fc.record({
  price: fc.record({ filled: share, between: fc.constantFrom([1, 5], [0, 2.5], ['0.10', '6.00']) }),
  ean: fc.record({ check_digit: share, unique: share }),
  status: fc.record({ one_of: fc.constant(['draft', 'activated']) }),
  note: fc.record({ matches: fc.constant('^x\\d'), filled: share }),
});

/** The same, thought out plainly: how many values there are, and how many are wrong. */
function model(rows: readonly Row[], field: keyof Row, rule: string, given: unknown): { of: number; count: number } {
  const all = rows.map((one) => one[field]);
  const filled = all.filter((value) => value !== '');
  if (rule === 'filled') return { of: all.length, count: all.length - filled.length };
  const [low, high] = [given].flat().map(Number) as [number, number];
  const isRight: Readonly<Record<string, (value: string, i: number) => boolean>> = {
    between: (value) => Number(value) >= low && Number(value) <= high,
    one_of: (value) => ['draft', 'activated'].includes(value.toLowerCase()),
    matches: (value) => /^x\d/.test(value),
    check_digit: (value) => ['4006381333931', '96385074'].includes(value),
    unique: (value, i) => filled.indexOf(value) === i,
  };
  return { of: filled.length, count: filled.filter((value, i) => isRight[rule]?.(value, i) !== true).length };
}

const allowed = (rule: string, given: unknown): number =>
  ['filled', 'check_digit', 'unique'].includes(rule) && given !== true ? 100 - Number.parseFloat(String(given)) : 0;

describe('a contract', () => {
  it.each(['csv', 'ndjson', 'xml'])('counts what a model counts, in %s', async (format) => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 30 }), contract, async (rows, given) => {
        const header = ['sku', 'price', 'ean', 'status', 'note'] as const;
        const content = {
          csv: () => [header.join(','), ...rows.map((one) => header.map((name) => one[name]).join(','))].join('\n'),
          ndjson: () => rows.map((one) => JSON.stringify(one)).join('\n'),
          xml: () =>
            `<all>${rows.map((one) => `<item>${header.map((name) => `<${name}>${one[name]}</${name}>`).join('')}</item>`).join('')}</all>`,
        }[format as 'csv'];
        const place = format === 'xml' ? { record: 'item' } : {};
        const { figures } = await judged(given, `${content()}\n`, `feed.${format}`, place);
        const wanted = Object.entries(given).flatMap(([field, rules]) =>
          Object.entries(rules).map(([rule, of]) => {
            const found = model(rows, field as keyof Row, rule, of);
            const passed = found.count * 100 <= allowed(rule, of) * found.of || found.count === 0;
            return [`${field}.${rule}`, found.of, found.count, passed];
          }),
        );
        expect(figures.map(({ guard, of, count, passed }) => [guard, of, count, passed])).toEqual(wanted);
      }),
      { numRuns: repetitions('CONTRACT_FILES', { fast: 30, moderate: 30, full: 300 }) },
    );
  });

  it('judges columns that fill no field, and those of a mapping as the file has them', async () => {
    const section = { to: 'products', fields: { sku: 'Art', price: 'VK' } };
    const mapped = { name: 'map.yaml', place: 'the mapping', section, tables: {}, read: { decimal: ',' as const } };
    const given = { VK: { between: [1000, 2000] }, price: { between: [1000, 2000] }, Lager: { filled: true } };
    const { figures } = await judged(given, 'Art;VK;Lager\nA;"1.500,00";1\nB;"2.500,00";\n', 'feed.csv', { mapped });
    expect(figures.map(({ guard, count, of }) => [guard, count, of])).toEqual([
      ['VK.between', 1, 2],
      ['price.between', 1, 2],
      ['Lager.filled', 1, 2],
    ]);
    expect(figures[0]).toMatchObject({ offenders: [{ place: 'line 3', key: '', words: '2.500,00' }], more: 0 });
    expect(figures[1]).toMatchObject({ offenders: [{ place: 'line 3', key: 'B', words: '2500.00' }] });
  });

  it('compares the numbers of a field as they are in the item', async () => {
    const { figures } = await judged({ weight: { between: [1, 2] } }, 'sku;weight\nA;1,234\n', 'feed.csv', {
      decimal: ',',
    });
    expect(figures[0]).toMatchObject({ count: 0, of: 1 });
  });

  it('counts a text that is no number, and a list where there is one value, as wrong', async () => {
    const rows = [{ sku: 'A', size: 'large' }, { sku: 'B', size: ['1', '2'] }, { sku: 'C', size: 3 }, { sku: 'D' }];
    const { figures } = await judged({ size: { between: [1, 5] } }, JSON.stringify(rows), 'feed.json');
    expect(figures[0]).toMatchObject({ count: 2, of: 3, passed: false });
  });

  it('knows the columns of a file: those that nothing reads, and those of a list', async () => {
    const csv = 'sku,name,Extra,Note\nA,x,1,2\n';
    const columnsOf = async (contract: object) => (await judged(contract, csv)).figures[0];
    expect(await columnsOf({ columns: 'exact' })).toMatchObject({
      ...{ guard: 'columns', isCount: true, count: 2, passed: false },
      offenders: [{ key: 'Extra: new' }, { key: 'Note: new' }],
    });
    expect(await columnsOf({ columns: 'exact', Extra: { filled: true }, Note: { filled: true } })).toMatchObject({
      passed: true,
    });
    expect(await columnsOf({ columns: ['name', 'sku', 'Note', 'Extra'] })).toMatchObject({ count: 0, passed: true });
    expect(await columnsOf({ columns: ['sku', 'name', 'Extra', 'price'] })).toMatchObject({
      words: 'columns: 1 column that the list lacks, 1 column missing',
      offenders: [{ key: 'Note: new' }, { key: 'price: missing' }],
    });
    const json = await judged({ columns: ['sku', 'name'] }, '[{"sku": "A", "Other": 1}]', 'feed.json');
    expect(json.figures[0]).toMatchObject({ offenders: [{ key: 'Other: new' }, { key: 'name: missing' }] });
  });

  it('counts the rows of the whole file, refused ones too, and nothing of a part', async () => {
    const csv = 'sku,name\nA,x\nB\nC,x\n';
    expect((await judged({ rows: [4, 5] }, csv)).figures[0]).toMatchObject({
      ...{ count: 3, limit: 4, passed: false, words: 'rows: 3 rows (expected: 4 to 5)' },
    });
    expect((await judged({ rows: [1, 3] }, csv)).figures[0]).toMatchObject({ count: 3, passed: true });
    expect((await judged({ rows: [4, 5] }, csv, 'feed.csv', { limit: 2 })).figures).toEqual([]);
  });

  it('warns of what is expected under warn:, and gives no figure of it', async () => {
    const given = { price: { filled: true }, warn: { price: { between: [1, 5] }, rows: [5, 9] } };
    const { figures, warnings } = await judged(given, 'sku,price\nA,7.00\n');
    expect(figures.map(({ guard }) => guard)).toEqual(['price.filled']);
    expect(warnings.map(({ code, params }) => [code, params['rule'], params['example']])).toEqual([
      ['expectation_missed', 'rows', ''],
      ['expectation_missed', 'price.between', 'line 2: A: 7.00'],
    ]);
  });

  it('refuses a name that is neither a field nor a column, before the first row', async () => {
    const open = (contract: object, content: string, name: string) => judged(contract, content, name);
    await expect(open({ pricee: { filled: true } }, 'sku,price\n', 'feed.csv')).rejects.toThrow(
      'contract.yaml: expect.pricee: "pricee" is neither a field nor a column; did you mean "price"?',
    );
    await expect(open({ Lagr: { filled: true } }, '[{"sku": "A", "Lager": 1}]', 'feed.json')).rejects.toThrow(
      'column "Lagr" not found; did you mean "Lager"?',
    );
    await expect(open({ media: { unique: true } }, 'sku\nA\n', 'feed.csv')).rejects.toThrow(
      'media is a list; only filled: can be expected of it',
    );
  });

  it('counts values that repeat far apart, and shows 20 of those that do not keep it', async () => {
    const rows = 12_000;
    const csv = `sku,ean,name\n${Array.from({ length: rows }, (_, i) => `A-${i},${i % 6000},some name of a product that is long enough\n`).join('')}`;
    const given = { ean: { unique: '50%', check_digit: true }, rows: [rows, rows] };
    const { figures } = await judged(given, csv);
    expect(figures.map(({ guard, count, passed }) => [guard, count, passed])).toEqual([
      ['rows', rows, true],
      ['ean.unique', 6000, true],
      ['ean.check_digit', rows, false],
    ]);
    expect(figures[2]).toMatchObject({ more: rows - 20 });
  });
});

describe('the check of a contract', () => {
  it.each([
    [{ price: { filed: '99%' } }, 'price.filed', 'Did you mean filled?'],
    [{ price: { filled: '101%' } }, 'price.filled', 'must be true, or a share such as 99%'],
    [{ price: { between: [5, 1] } }, 'price.between', 'the lowest and the highest number'],
    [{ price: {} }, 'price', 'needs one of filled'],
    [{ price: '99%' }, 'price', 'must be rules such as {filled: 99%}'],
    [{ rows: '5' }, 'rows', 'the least and the greatest number of rows'],
    [{ agge: '26h' }, 'agge', 'Did you mean age?'],
    [{ age: '26 hours' }, 'age', 'a time such as 26h'],
    [{ warn: { warn: { rows: [1, 2] } } }, 'warn.warn.rows', ''],
    [[], '', 'must be what is expected'],
  ])('%j', (contract, path, words) => {
    const fault = contractFault(contract);
    expect(fault?.path.join('.')).toBe(path);
    expect(fault?.message).toContain(words);
  });

  it('takes a column that is called as a rule of files is', async () => {
    const { figures } = await judged({ age: { filled: true }, rows: { between: [1, 9] } }, 'sku,age,rows\nA,,5\n');
    expect(figures.map(({ guard, count }) => [guard, count])).toEqual([
      ['age.filled', 1],
      ['rows.between', 0],
    ]);
  });
});

describe('a barcode', () => {
  it.each(['4006381333931', '978-3-16-148410-0', '96385074', '036000291452', '10614141000415'])('%s is one', (text) => {
    expect(isGtin(text)).toBe(true);
  });

  it.each(['4006381333932', '0000000000000', '400638133393', '', 'ABC', '8.72E+12', '12345678901234567890'])(
    '%s is none',
    (text) => {
      expect(isGtin(text)).toBe(false);
    },
  );

  it('is none any more where a digit was mistyped', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const digits = [...'4006381333931'];
        digits[at] = String((Number(digits[at]) + by) % 10);
        expect(isGtin(digits.join(''))).toBe(false);
      }),
    );
  });
});

it('every rule has a word of its own', () => {
  expect(Object.keys(valueRules).filter((word) => Object.hasOwn(fileRules, word))).toEqual([]);
});
