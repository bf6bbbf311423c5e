// The status of products: which columns are asked about, and how their words become those of the catalog.
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf } from '../../given.js';
import { known, suggested } from '../../suggested.js';

const feed = (header: string, values: readonly string[]): string =>
  [`SKU;Name;Preis;${header}`, ...values.map((value, i) => `A-${i};Sand Nr ${i};1,50;${value}`)].join('\n');

/** What the question about the status says; undefined without one. */
async function asked(header: string, values: readonly string[]): Promise<string | undefined> {
  return (await suggested(feed(header, values))).asked['status']?.[header];
}

const many = (count: number) => Array.from({ length: count }, (_, i) => `wert ${i}`);

describe('a column that is called a status is asked about', () => {
  it.each([
    ['six different words', many(6), true],
    ['seven are none', many(7), false],
    ['one in a single record says nothing', ['новый', '', ''], false],
    ['more than are kept', many(60), false],
  ])('%s', async (_, values, isAsked) => {
    expect((await asked('Статус', values)) !== undefined).toBe(isAsked);
  });

  it('with the word for word of the catalog where all words are known, and else which of both is which', async () => {
    expect(await asked('Статус', ['active', 'inactive', 'active'])).toContain(
      'write { column: "Статус", map: { active: activated, inactive: suspended }, else: keep }; ',
    );
    expect(await asked('Статус', ['active', 'sold out', 'active'])).toContain(
      'write { column: "Статус", map: { "active": activated, "sold out": suspended } }, or the other way round; ',
    );
  });
});

describe('two words of which one negates the other, or shares a sign with it, are states', () => {
  it.each([
    [['非公開', '公開', '公開'], true],
    [['unfrei', 'frei', 'frei'], true],
    [['frei', 'unfrei', 'frei'], true],
    [['上架', '下架', '上架'], true],
    [['판매중', '판매중지', '판매중'], true],
    [['NA', 'A', 'A'], false],
    [['新品', '新品 (B)', '新品'], false],
  ])('%s: %s', async (values, isAsked) => {
    expect((await asked('掲載', values)) !== undefined).toBe(isAsked);
  });
});

describe('the words of a shop become those of the catalog', () => {
  it.each([
    ['true, false', 'map: { "true": activated, "false": suspended }, else: keep'],
    // A word in another case is written as the catalog does.
    ['activated, Suspended, draft', 'map: { suspended: suspended, archived: suspended }, else: keep'],
    ['Yes, No', 'map: { "yes": activated, "no": suspended }, else: keep'],
  ])('%s', async (words, steps) => {
    const rows = words.split(', ').map((word, i) => `A-${i},Red cup ${i},1.50,${word}\n`);
    const { yaml } = await suggested(`sku,name,price,status\n${rows.join('')}`);
    expect(yaml).toContain(`  status: { column: "status", ${steps} }`);
  });

  it('those that are none of both stay as they are where a person chose the column', async () => {
    const inspection = await inspectFile({ file: fileOf(feed('Zustand X', ['active', 'sold out', 'active'])) });
    const { yaml } = suggestMapping(inspection, known, '', new Map([['status', 'Zustand X']]));
    expect(yaml).toContain(
      '  status: { column: "Zustand X", map: { active: activated, inactive: suspended }, else: keep }',
    );
  });
});
