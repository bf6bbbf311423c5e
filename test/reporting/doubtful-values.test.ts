// Values of new and changed records that are probably wrong are in a warning of the run that stores them.
import { expect, it } from 'vitest';
import { folder, typed } from '../cli/typed.js';

/** The words of the warning about an import of this text. */
async function told(text: string, { file = 'f.csv', options = ['products'] as readonly string[], times = 1 } = {}) {
  const cwd = folder({
    [file]: text,
    'm.yaml': 'to: products\nfields: { sku: sku, name: name, currency: { value: EUR } }\n',
  });
  const [command = '', ...more] = options;
  let stderr = '';
  for (let time = 0; time < times; time++) ({ stderr } = await typed(cwd, [command, file, ...more, '--db', 'c.db']));
  return /values_doubtful: f\.\w+: (.*)/.exec(stderr)?.[1];
}

const euro = ['products', '--set', 'currency=EUR'];

it.each([
  ['nan', 'name "nan"'],
  ['None', 'name "None"'],
  ['NULL', 'name "NULL"'],
  ['#REF!', 'name "#REF!"'],
  [' undefined ', 'name " undefined "'],
])('the placeholder %j, with its field', async (word, example) => {
  expect(await told(`sku,name\nA,Cup\nB,${word}\nC,${word}\n`, { options: euro })).toBe(
    `2 records with a placeholder instead of a value (${example} on line 3)`,
  );
  expect(
    await told(JSON.stringify([{ sku: 'A' }, { sku: 'B', name: word }]), { file: 'f.json', options: euro }),
  ).toMatch(/^1 record with a placeholder instead of a value/);
});

it('a placeholder as the key', async () => {
  expect(await told('sku,name\n#N/A,Cup\n', { options: euro })).toBe(
    '1 record with a placeholder instead of a value (sku "#N/A" on line 2)',
  );
});

it('a key with invisible characters', async () => {
  expect(await told('sku,name\nA\u200b-1,Cup\nA-1,Cup\n', { options: euro })).toBe(
    '1 record with invisible characters in the key (U+200B in "A-1" on line 2)',
  );
});

it('a note below the table, also with a mapping, whose constants are no values of it', async () => {
  const text = 'sku,name\nA,Cup\nB,Pot\n4 records exported today,\n';
  const words = '1 record with only a key, which looks like a note ("4 records exported today" on line 4)';
  expect(await told(text, { options: euro })).toBe(words);
  expect(await told(text, { options: ['products', '--map', 'm.yaml'] })).toBe(words);
});

it('several of them in one warning', async () => {
  expect(await told('sku,name\nA\u2060,null\nof all the rows,\n', { options: euro })).toBe(
    '1 record with a placeholder instead of a value (name "null" on line 2); ' +
      '1 record with invisible characters in the key (U+2060 in "A" on line 2); ' +
      '1 record with only a key, which looks like a note ("of all the rows" on line 3)',
  );
});

it.each([
  ['ordinary values', 'sku,name\nA 1,Nullable\nB,No\nC,None of them is here at all\n', euro],
  ['ordinary words and names', 'sku,name\nA,Nan\nB,none\nC,Nil\n', euro],
  ['keys of two words', 'sku,name\nRed cup,\nBlue pot,\n', euro],
  ['names of several words', 'name\nPots and pans\n', ['categories']],
  ['a refused record', 'sku,name,price\nA,NULL,x\n', euro],
  ['what is not imported', 'sku,name,note of ours\nA,Cup,NULL\n', euro],
])('nothing of %s', async (_, text, options) => {
  expect(await told(text, { options })).toBeUndefined();
});

it('nothing of records that are as they were', async () => {
  expect(await told('sku,name\nA,NULL\n', { options: euro, times: 2 })).toBeUndefined();
});
