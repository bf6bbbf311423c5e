// Which catalog a name stands for.
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogPlace } from '../../src/store/catalog-path.js';
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
    ['an address with one slash', 'postgres:/h/shop', {}, '--db looks like an address'],
  ])('is refused for %s', async (_, name, flags, words) => {
    const failure = await failureOf(() => catalogPlace(name, '--db', flags));
    expect(failure.code).toBe('usage');
    expect(failure.message).toContain(words);
  });
});
