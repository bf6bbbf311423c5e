// Options about the form of a file (--delimiter, --sheet, --record …) are not ignored for a file of another form: who types
// one, or writes it into a mapping, is told what it is for. A default of the configuration file is for other files, too.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { workbookOf, zipOf } from '../source/given-zip.js';
import { folder, typed } from './typed.js';

/** A workbook of one product. */
function book(): Buffer {
  const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const rows = [
    ['sku', 'currency', 'name'],
    ['W', 'EUR', 'Grün'],
  ].map((cells) => `<row>${cells.map(cell).join('')}</row>`);
  return workbookOf({ Größe: rows.join('') });
}

let here = '';
beforeAll(() => {
  here = folder({
    'a.csv': 'sku,currency,name\nA,EUR,Phone\n',
    'semi.csv': 'sku;currency\nS;EUR\n',
    't.tsv': 'sku\tcurrency\nT\tEUR\n',
    'b.json': '[{"sku":"B","currency":"EUR"}]',
    'deep.json': '{"data":{"list":[{"sku":"D","currency":"EUR"}]}}',
    'c.ndjson': '{"sku":"C","currency":"EUR"}\n',
    'd.xml': '<list><row><sku>X</sku><currency>EUR</currency></row></list>',
    noname: '[{"sku":"N","currency":"EUR"}]',
  });
  writeFileSync(join(here, 'e.xlsx'), book());
  writeFileSync(join(here, 'f.zip'), zipOf({ 'feed.csv': 'sku,currency\nZ,EUR\n' }));
});

const values = { delimiter: ';', skip: '0', sheet: 'x', record: 'row', items: 'data.list', encoding: 'utf-8' };
type Option = keyof typeof values;

/** The options that mean something, by file. */
const fitting: Readonly<Record<string, readonly Option[]>> = {
  'a.csv': ['delimiter', 'skip', 'encoding'],
  't.tsv': ['delimiter', 'skip', 'encoding'],
  'b.json': ['items', 'encoding'],
  noname: ['items', 'encoding'],
  'c.ndjson': ['encoding'],
  'd.xml': ['record', 'encoding'],
  'e.xlsx': ['skip', 'sheet'],
  'f.zip': ['delimiter', 'skip', 'sheet', 'encoding'],
};

const options = Object.keys(values) as Option[];
const pairs = Object.keys(fitting).flatMap((file) => options.map((option) => [option, file] as const));
const refusal = (option: string) => new RegExp(`^error: (?:Stopped: )?${option} is for .*[.]\\n?$`, 'm');

describe('an option that is typed for a file of another form', () => {
  it.each(pairs)('--%s for %s', async (option, file) => {
    const isIdle = fitting[file]?.includes(option) !== true;
    // Other commands open files in the same way: they are tried with one file each.
    const others = { 'b.json': [['inspect']], 'e.xlsx': [['plan', 'products']] }[file] ?? [];
    for (const command of [['products'], ...others]) {
      const how = command[0] === 'plan' ? ['--out', 'x.plan'] : command[0] === 'products' ? ['--dry-run'] : [];
      const { code, stderr } = await typed(here, [...command, file, `--${option}`, values[option], ...how]);
      if (isIdle) expect([command, code, stderr]).toEqual([command, 2, expect.stringMatching(refusal(`--${option}`))]);
      else expect(stderr).not.toMatch(refusal(`--${option}`));
    }
    expect(existsSync(join(here, 'catalog.db'))).toBe(false);
  });

  it('names the option, what it is for, the file and what it is, and the remedy', async () => {
    const said = async (...args: string[]) => (await typed(here, ['products', ...args, '--dry-run'])).stderr;
    expect(await said('b.json', '--delimiter', ';')).toContain(
      '--delimiter is for CSV and TSV, and b.json is JSON. Leave it out, or name the format of the file with --format.',
    );
    expect(await said('e.xlsx', '--encoding', 'windows-1252')).toContain(
      '--encoding is for text files; a workbook names its own, and e.xlsx is an Excel workbook. Leave it out.',
    );
    // Nothing is refused that the format makes right.
    expect(
      (await typed(here, ['products', 'noname', '--format', 'csv', '--skip', '0', '--dry-run'])).stderr,
    ).not.toContain('is for');
  });

  it('for the standard input', async () => {
    const args = ['products', '-', '--sheet', 'x', '--dry-run'];
    const { code, stderr } = await typed(here, args, { input: 'sku,currency\nA,EUR\n' });
    expect([code, stderr]).toEqual([2, expect.stringContaining('and the standard input is CSV')]);
  });
});

describe('several files of different forms', () => {
  it('take an option that fits one of them; the others are read without it', async () => {
    const args = ['products', 'semi.csv', 'b.json', 'e.xlsx', '--delimiter', ';', '--dry-run', '--output', 'ndjson'];
    const { code, stdout, stderr } = await typed(here, args);
    expect([code, stderr]).toEqual([0, expect.stringContaining('3 created')]);
    for (const sku of ['S', 'B', 'W']) expect(stdout).toContain(`"external_id":"${sku}","action":"created"`);
  });

  it('refuse one that fits none, before anything is imported', async () => {
    const args = ['products', 'a.csv', 'b.json', '--record', 'row', '--db', 'none.db'];
    const { code, stderr } = await typed(here, args);
    expect([code, stderr]).toEqual([2, expect.stringContaining('--record is for XML, and none of the files is that.')]);
    expect(existsSync(join(here, 'none.db'))).toBe(false);
  });

  it('also in a folder', async () => {
    const place = folder({ '1_categories.csv': 'name\nPhones\n', '2_products.json': '[{"sku":"B","currency":"EUR"}]' });
    expect((await typed(place, ['run', '.', '--delimiter', ',', '--dry-run', '--db', '../x.db'])).code).toBe(0);
    const refused = await typed(place, ['run', '.', '--record', 'row', '--dry-run', '--db', '../x.db']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('--record is for XML')]);
  });

  it('say which file is missing, as without the option', async () => {
    const { code, stderr } = await typed(here, ['products', 'a.csv', 'gone.csv', '--delimiter', ',', '--dry-run']);
    expect([code, stderr]).toEqual([5, expect.stringContaining('gone.csv')]);
  });
});

describe('a mapping', () => {
  it.each([
    ['delimiter: ";"', 'read: {delimiter} of the mapping is for CSV and TSV'],
    ['columns: [sku, currency]', 'read: {columns} of the mapping is for tables'],
    ['leave_out: Total', 'read: {leave_out} of the mapping is for tables'],
    ['skip: 1', 'read: {skip} of the mapping is for tables'],
  ])('with read: {%s} does not fit JSON', async (rule, words) => {
    writeFileSync(join(here, 'map.yaml'), `read: {${rule}}\nfields: {sku: sku, currency: currency}\n`);
    const { code, stderr } = await typed(here, ['products', 'b.json', '--map', 'map.yaml', '--dry-run']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('a default of the configuration file', () => {
  it('is left out where it does not fit, and counts where it does', async () => {
    const place = folder({
      'catalog-import.yaml': 'defaults: {delimiter: ";", encoding: windows-1252}\nprofiles: {xml: {record: row}}\n',
      'semi.csv': 'sku;currency\nS;EUR\n',
      'b.json': '[{"sku":"B","currency":"EUR"}]',
    });
    writeFileSync(join(place, 'e.xlsx'), book());
    for (const file of ['semi.csv', 'b.json', 'e.xlsx'])
      for (const more of [[], ['--profile', 'xml']])
        expect((await typed(place, ['products', file, '--db', 'c.db', ...more])).code).toBe(0);
    // A workbook is not read in the encoding of text files.
    expect((await typed(place, ['get', 'product', '--sku', 'W', '--db', 'c.db'])).stdout).toContain('"Grün"');
    // What is typed besides is judged as ever.
    expect((await typed(place, ['products', 'b.json', '--delimiter', ';', '--db', 'c.db'])).code).toBe(2);
    expect((await typed(place, ['inspect', 'b.json'])).code).toBe(0);
  });
});
