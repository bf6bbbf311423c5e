// Addresses as libpq reads them.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { passwordIn, readAddress } from '../../../src/store/postgres/address.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-address-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (address: string, env: NodeJS.ProcessEnv = {}) => readAddress(address, env);

describe('an address of PostgreSQL', () => {
  it.each([
    ['postgres://db.example/shop', { hosts: [{ host: 'db.example', port: 5432 }], database: 'shop' }],
    ['postgresql://me@db.example:5433/shop', { user: 'me', hosts: [{ host: 'db.example', port: 5433 }] }],
    ['postgres://me:p%40ss@h/d', { password: 'p@ss' }],
    [
      'postgres://u@a,b:5433/d',
      {
        hosts: [
          { host: 'a', port: 5432 },
          { host: 'b', port: 5433 },
        ],
        wantsPrimary: true,
      },
    ],
    ['postgres://u@a,b/d?target_session_attrs=any', { wantsPrimary: false }],
    ['postgres://u@[::1]:5433/d', { hosts: [{ host: '::1', port: 5433 }], sslMode: 'prefer' }],
    [
      'postgres://u@/d?host=/var/run/postgresql',
      { hosts: [{ host: '/var/run/postgresql', port: 5432 }], sslMode: 'prefer' },
    ],
    ['postgres:///d', { hosts: [{ host: 'localhost', port: 5432 }], database: 'd' }],
    ['postgres://u@db.example/d', { sslMode: 'verify-full', schema: 'catalog_import' }],
    ['postgres://u@localhost/d?sslrootcert=ca.pem', { sslMode: 'verify-full', rootCert: 'ca.pem' }],
    ['postgres://u@db.example/d?sslmode=require', { sslMode: 'require' }],
    ['postgres://u@h/d?schema=other', { schema: 'other' }],
    ['postgres://u@h/d?options=-csearch_path%3Dother', { schema: 'other' }],
    ['postgres://u@h/d?options=-c%20search_path%3D%22Other%22', { schema: 'Other' }],
    ['postgres://only-user@h', { user: 'only-user', database: 'only-user' }],
  ])('%s', (address, expected) => {
    expect(read(address)).toMatchObject(expected);
  });

  it('takes missing parts from the environment, and its own parts override them', () => {
    const env = {
      PGHOST: 'envhost',
      PGPORT: '6000',
      PGUSER: 'envuser',
      PGDATABASE: 'envdb',
      PGPASSWORD: 'pw',
      PGSSLMODE: 'require',
      PGAPPNAME: 'app',
    };
    expect(read('postgres://', env)).toMatchObject({
      hosts: [{ host: 'envhost', port: 6000 }],
      user: 'envuser',
      database: 'envdb',
      password: 'pw',
      sslMode: 'require',
      applicationName: 'app',
    });
    expect(read('postgres://me@h:1/d?sslmode=disable', env)).toMatchObject({
      user: 'me',
      database: 'd',
      sslMode: 'disable',
      hosts: [{ host: 'h', port: 1 }],
    });
  });

  it('takes a service from its file', () => {
    const file = join(folder, 'services');
    writeFileSync(file, '# ours\n[other]\nhost=no\n[shop]\nhost=db1,db2\nport=5433\ndbname=shop\n');
    const env = { PGSERVICEFILE: file };
    expect(read('postgres://?service=shop', env)).toMatchObject({
      hosts: [
        { host: 'db1', port: 5433 },
        { host: 'db2', port: 5433 },
      ],
      database: 'shop',
    });
    expect(() => read('postgres://?service=none', env)).toThrow('The service "none" is not in');
  });

  it('names hosts and database in messages, and nothing else', () => {
    expect(read('postgres://me:secret@a,b:5433/shop').name).toBe('PostgreSQL at a:5432,b:5433, database "shop"');
  });

  it.each([
    ['postgres://u@h/d?sslmod=require', 'a parameter "sslmod", which is not known'],
    ['postgres://u@h/d?sslmode=none', 'sslmode "none" is not known; use one of disable,'],
    ['postgres://u@h:99999/d', 'a port is a number from 1 to 65535'],
    ['postgres://u@h:secret/d', 'a port is a number from 1 to 65535'],
    ['postgres://u%@h/d', 'two hexadecimal digits'],
    ['postgres://u@h/d?schema=pg_mine', 'The schema "pg_mine" is not a name'],
    ['postgres://u@h/d?options=-csearch_path%3Dpg_mine', 'The schema "pg_mine" is not a name'],
    ['postgres://u@h/d?schema=a%22b', 'use up to 63 letters'],
    [`postgres://u@h/d?schema=${'%C3%BC'.repeat(32)}`, 'use up to 63 letters'],
  ])('refuses %s', (address, words) => {
    expect(() => read(address)).toThrow(words);
    try {
      read(address);
    } catch (error) {
      expect(error).toMatchObject({ code: 'usage' });
      expect((error as Error).message).not.toContain('secret');
    }
  });
});

describe('a password file', () => {
  const text = [
    '# comment',
    'db.example:5432:shop:me:first',
    '*:5433:*:me:a\\:b\\\\c',
    'localhost:*:*:*:socket',
    'x:y',
  ].join('\n');
  const password = (address: string) => {
    const found = read(address);
    return passwordIn(text, found, found.hosts[0] ?? { host: '', port: 0 });
  };

  it.each([
    ['postgres://me@db.example/shop', 'first'],
    ['postgres://me@other:5433/any', 'a:b\\c'],
    ['postgres://u@/d?host=/run', 'socket'],
    ['postgres://you@db.example/shop', undefined],
  ])('%s', (address, expected) => {
    expect(password(address)).toBe(expected);
  });
});
