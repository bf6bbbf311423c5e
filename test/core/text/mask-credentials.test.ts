import { expect, it } from 'vitest';
import { maskCredentials } from '../../../src/core/text/mask-credentials.js';
import { allowed } from '../../tier.js';

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
  ['https:\\\\u:SECRET@h', 'https:\\\\h'],
  ['https://SECRET@h and https://:SECRET@h', 'https://h and https://h'],
  ['https://u:p/SECRET@h/a.csv', 'https://h/a.csv'],
  ['https://u:p SECRET@h/a.csv, and so on', 'https://h/a.csv, and so on'],
  ['"https://u:p"SECRET@h/a.csv"', '"https://h/a.csv"'],
  ["postgres://u:p'SECRET@h/x", 'postgres://h/x'],
  ['postgres://u:5432/SECRET@h/x', 'postgres://h/x'],
  ['postgres://u:p?SECRET@h/x', 'postgres://h/x'],
  // Cut off before its @.
  ['"postgres://u:SECRET…"', '"postgres://u:…"'],
  ['u:p@SECRET@h/x', 'h/x'],
  ['https://h/f.csv?token=SECRET&flag&b=SECRET', 'https://h/f.csv?token=…&…&b=…'],
  ["'https://h/f.csv?SECRET'", "'https://h/f.csv?…'"],
  ['postgres://h/x?schema=erp&options=SECRET', 'postgres://h/x?schema=erp&options=…'],
  ['https://h/x?schema=SECRET', 'https://h/x?schema=…'],
  ['postgres://h/x?schema=erp&PGPASSWORD=SECRET', 'postgres://h/x?schema=erp&PGPASSWORD=…'],
  ['PGPASSWORD=SECRET sslpassword = "SECRET SECRET"', 'PGPASSWORD=… sslpassword = …'],
  ["password='a\\'SECRET' Pwd={SECRET;SECRET};x", 'password=… Pwd=…;x'],
  // Nothing of a word is taken for a password where its address is whole.
  ['https://u:SECRET@h/a, mail shop@example.com', 'https://h/a, mail shop@example.com'],
  // A password with a blank in the last words of the text, and one in words that are no address.
  ['a postgres://u:p SECRET@h', 'a postgres://h'],
  ['https://u:SECRET', 'https://u:…'],
  ['https://h@SECRET:p@x/a', 'https://x/a'],
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
  'postgres://a:5432,b:5433/shop, http://[::1]:8080/ and http://127.0.0.1:8080: no answer',
  'see https://h/a? and C:\\feeds\\?.csv',
])('%s stays as it is', (text) => {
  expect(maskCredentials(text)).toBe(text);
});

it.each(['a-', '=a:x', 'a:', '//', "key='", 'token={', 'password="\\', 'x://a:b ', 'x://h?', '@', ':/'])(
  'takes no longer for a path of 64 KiB with %j than for any other',
  (piece) => {
    const path = `/@=${piece.repeat(Math.ceil(65_536 / piece.length))}@`;
    maskCredentials(path);
    const times = Array.from({ length: 5 }, () => {
      const began = performance.now();
      maskCredentials(path);
      return performance.now() - began;
    });
    // The shortest: in the others the process may have had to wait.
    expect(Math.min(...times)).toBeLessThan(allowed(20));
  },
);
