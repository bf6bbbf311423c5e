// Which changes of texts are damage, and which are ordinary.
import { expect, it } from 'vitest';
import { damagedText } from '../../../src/importing/guards/damaged-text.js';
import { allowed } from '../../tier.js';

const isDamage = (from: unknown, to: unknown) => damagedText([{ field: 'name', from, to }]) !== undefined;
const long = 'Größe und Länge, '.repeat(20);

it.each([
  ['UTF-8 read as windows-1252', 'Größe', 'GrÃ¶ÃŸe'],
  ['UTF-8 read as latin-1', 'Größe', 'GrÃ¶Ã\u009fe'],
  ['the same with more behind it', 'Café', 'CafÃ© 2 l'],
  ['letters as question marks', 'Größe', 'Gr??e'],
  ['letters as replacement characters', 'Größe', 'Gr\ufffd\ufffde'],
  ['bytes of letters as replacement characters', 'Größe', 'Gr\ufffd\ufffd\ufffd\ufffde'],
  ['letters that are gone', 'Größe', 'Gre'],
  ['nothing but question marks', '東京', '??'],
  ['entities', 'Größe', 'Gr&ouml;&szlig;e'],
  ['markup as entities', '<p>Lamp</p>', '&lt;p&gt;Lamp&lt;/p&gt;'],
  ['words for no value', 'Lamp', 'NULL'],
  ['errors of a spreadsheet', 'Lamp', '#NAME?'],
  ['digits that a spreadsheet lost', '4006381333931', '4,00638E+12'],
  ['a long text misread', long, Buffer.from(long).toString('latin1')],
  ['a long text without its letters', long, long.replaceAll(/[öäß]/g, '\ufffd\ufffd')],
])('damage: %s', (_, from, to) => {
  expect(isDamage(from, to)).toBe(true);
});

it.each([
  ['another text', 'Größe', 'Länge'],
  ['a text that is mended', 'GrÃ¶ÃŸe', 'Größe'],
  ['question marks that are mended', 'Gr??e', 'Größe'],
  ['entities that are mended', 'Gr&ouml;&szlig;e', 'Größe'],
  ['a word for no value that is mended', 'NULL', 'Lamp'],
  ['other words for umlauts', 'Größe', 'Groesse'],
  ['letters without accents', 'Café', 'Cafe'],
  ['a sign that is left out', 'Lamp® 2', 'Lamp 2'],
  ['a longer text', 'Größe', 'Größe XL'],
  ['a question', 'Größe', 'Größe?'],
  ['a shorter text', 'Größe XL', 'Größe'],
  ['a text that is new', '', 'NULL'],
  ['a text that is gone', 'Größe', ''],
  ['a number', 5, 0],
])('no damage: %s', (_, from, to) => {
  expect(isDamage(from, to)).toBe(false);
});

it('two texts that took the place of each other are damage, a price that becomes the former price is not', () => {
  const change = (field: string, from: string, to: string) => ({ field, from, to });
  expect(damagedText([change('name', 'Lamp', 'Bright'), change('description', 'Bright', 'Lamp')])).toBeDefined();
  expect(damagedText([change('price', '12.00', '9.00'), change('price_compare', '', '12.00')])).toBeUndefined();
});

it('takes no time that grows faster than the text', () => {
  const [from, to] = ['ö?'.repeat(500_000), '?'.repeat(1_000_000)];
  const started = performance.now();
  for (let i = 0; i < 100; i++) isDamage(from, to);
  expect(performance.now() - started).toBeLessThan(allowed(1000));
});
