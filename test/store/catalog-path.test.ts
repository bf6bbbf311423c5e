// Which catalog a name stands for.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogPlace, checkSchema, refusePassword } from '../../src/store/catalog-path.js';
import { failureOf } from './given.js';

describe('the place of a catalog', () => {
  it.each([
    ['an address as it is', 'postgres://h/shop', {}, 'postgres://h/shop'],
    ['an address in capitals', 'POSTGRESQL://h/shop', {}, 'POSTGRESQL://h/shop'],
    ['an address with its schema', 'postgres://h/shop', { schema: 'a b' }, 'postgres://h/shop?schema=a%20b'],
    [
      'an address that has parameters',
      'postgres://h/shop?a=1',
      { schema: 's', caFile: '/c&d' },
      'postgres://h/shop?a=1&schema=s&sslrootcert=%2Fc%26d',
    ],
    ['a file by its whole path', 'c.db', {}, resolve('c.db')],
    ['a file whose name only begins like an address', './postgres', {}, resolve('postgres')],
  ])('is %s', (_, name, flags, place) => {
    expect(catalogPlace(name, '--db', flags)).toBe(place);
  });

  it.each([
    ['--schema beside a file', 'c.db', { schema: 's' }, '--schema is for catalogs in PostgreSQL'],
    ['a schema that is no name', 'postgres://h/shop', { schema: 'pg_own' }, '--schema "pg_own" is not a name'],
    ['an address of something else', 'mysql://h/shop', {}, '--db looks like an address'],
    ['a folder', 'shops/', {}, "--db shops/ is a folder's name; name a file in it, such as shops/catalog.db."],
    ['an address with one slash', 'postgres:/h/shop', {}, '--db looks like an address'],
  ])('is refused for %s', async (_, name, flags, words) => {
    const failure = await failureOf(() => catalogPlace(name, '--db', flags));
    expect(failure.code).toBe('usage');
    expect(failure.message).toContain(words);
  });
});

describe('an address in an argument', () => {
  it.each([
    'postgres://shop:secret@h/shop',
    'POSTGRES://shop:secret@h/shop',
    'postgres://h/shop?password=secret',
    'postgres://h/shop?a=1&Password=secret',
    'postgres://shop@h/shop?password=secret',
  ])('is refused with its password: %s', async (address) => {
    const failure = await failureOf(() => refusePassword(address, '--db'));
    expect(failure.code).toBe('usage');
    expect(failure.message).toMatch(/^--db holds a password/);
    expect(failure.message).not.toContain('secret');
  });

  it.each(['postgres://shop@h/shop', 'postgres://h:5432/shop?a=password', 'c.db', './a://b:c@d', './c.db?password=x'])(
    'is taken without one, as is any file: %s',
    (address) => {
      expect(() => refusePassword(address, '--db')).not.toThrow();
    },
  );
});

describe('a schema', () => {
  it.each(['s', 'a b', 'my pg_', 'é'.repeat(31), `${'é'.repeat(31)}x`])('may be %s', (schema) => {
    expect(() => checkSchema(schema, '--schema')).not.toThrow();
  });

  it.each(['', 'a"b', 'a\0', 'pg_x', 'é'.repeat(32), 'x'.repeat(64)])('is no name: %j', async (schema) => {
    expect(await failureOf(() => checkSchema(schema, '--schema'))).toMatchObject({ code: 'usage' });
  });
});
