import { expect, it } from 'vitest';
import { maskCredentials } from '../../../src/core/text/mask-credentials.js';

it.each([
  ['postgres://u:SECRET@h/x', 'postgres://h/x'],
  ['postgres:/u:SECRET@h/x', 'postgres:/h/x'],
  ['postgres:u:SECRET@h/x', 'postgres:h/x'],
  ['postgresql:///u:SECRET@h/x', 'postgresql:///h/x'],
  ['PostgreSQL//u:SECRET@h/x', 'PostgreSQL//h/x'],
  ['postgres://u:SE@CR/ET:SECRET@h/x', 'postgres://h/x'],
  ['"postgres:/u:SECRET@h/x" cannot be opened', '"postgres:/h/x" cannot be opened'],
  ['/home/me/postgres:/u:SECRET@h/x cannot', '/home/me/postgres:/h/x cannot'],
  ['postgres://h/x?user=u&password=SECRET&sslmode=require', 'postgres://h/x?user=…&password=…&sslmode=require'],
  ["host=h user=u password='SECRET SECRET' dbname=x", 'host=h user=… password=… dbname=x'],
  ['jdbc:postgresql://h/x?user=u&password=SECRET', 'jdbc:postgresql://h/x?user=…&password=…'],
  ['u:SECRET@h/x', 'h/x'],
  ['--db=u:SECRET@h/x', '--db=h/x'],
  ['https://u:SECRET@h/feed.csv: file not found', 'https://h/feed.csv: file not found'],
  ['https:/u:SECRET@h/feed.csv', 'https:/h/feed.csv'],
])('%s is shown as %s', (text, shown) => {
  expect(maskCredentials(text)).toBe(shown);
  expect(maskCredentials(shown)).toBe(shown);
});

it.each([
  'https://h/feed@home/a.csv',
  'mail to shop@example.com',
  'C:\\feeds\\a@b.csv and C:/feeds/a@b.csv',
  'catalog.db',
  '2026-11-24T13:24:05Z products new@home.csv: started',
  'postgres://db.example:5432/shop',
  'Use column=field, for example "Art. Nr.=sku".',
])('%s stays as it is', (text) => {
  expect(maskCredentials(text)).toBe(text);
});
