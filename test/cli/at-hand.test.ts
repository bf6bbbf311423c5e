// `search`, `info` and `doctor`: the catalog at hand. What they say of a catalog is compared with what is in it.
import {
  chmodSync,
  closeSync,
  copyFileSync,
  openSync,
  readFileSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/store/open.js';
import { openDatabase } from '../../src/store/sqlite/database.js';
import { missing, newTestDatabase } from '../postgres/test-database.js';
import { demo, folder, typedHere } from './typed.js';

const place = folder();
const db = join(place, 'catalog.db');
beforeAll(async () => {
  await typedHere(['run', demo, '--db', db, '-q']);
});

/** A copy of the catalog, changed by SQL that no rule of ours allows. */
function spoiled(name: string, ...statements: readonly string[]): string {
  const copy = join(place, `${name}.db`);
  copyFileSync(db, copy);
  const database = openDatabase(copy, true);
  for (const sql of statements) database.exec(sql);
  database.close();
  return copy;
}

const records = async (resource: string): Promise<Record<string, unknown>[]> =>
  JSON.parse((await typedHere(['list', resource, '--output', 'json', '--db', db])).stdout);

describe('search', () => {
  const search = (...args: string[]) => typedHere(['search', ...args, '--db', db]);
  const hits = async (...args: string[]): Promise<Record<string, unknown>[]> =>
    JSON.parse((await search(...args, '--output', 'json')).stdout);

  it('finds exactly the records whose key or name has all words, of every resource, whatever the case', async () => {
    const all = await Promise.all(
      ['characteristics', 'categories', 'groups', 'products', 'reviews'].map((resource) => records(resource)),
    );
    for (const words of [['case'], ['CASE', 'black'], ['a', 'e'], ['64'], ['xyzzy']]) {
      const wanted = all.flat().filter((record) => {
        const key = record['object'] === 'product_review' ? record['external_id'] : (record['sku'] ?? record['name']);
        const text = `${key}\n${record['name']}`.toLowerCase();
        return words.every((word) => text.includes(word.toLowerCase()));
      });
      const found = await hits(...words, '--limit', '10000');
      expect(found.map(({ id }) => id)).toEqual(wanted.map(({ id }) => id));
      for (const { resource, id } of found)
        expect(wanted.find((record) => record['id'] === id)?.['object']).toBe(resource);
    }
    expect((await hits('case', '--limit', '10000')).length).toBeGreaterThan(3);
  });

  it('shows at most the limit and says that there are more; the output formats are those of list', async () => {
    const { stdout, stderr } = await search('e', '--limit', '2');
    expect(stdout).toMatch(/^resource +key +status +name +id\n/);
    expect(stdout.trimEnd().split('\n')).toHaveLength(3);
    expect(stderr).toBe('The first 2; --limit shows more.\n');
    expect((await search('e', '--limit', '2', '--output', 'csv')).stdout.split('\n')[0]).toBe(
      'resource,key,status,name,id',
    );
    expect((await search('e', '--limit', '2', '--output', 'ndjson')).stdout.trimEnd().split('\n')).toHaveLength(2);
  });

  it('says so where nothing is found, where no word is given, and where there is no catalog', async () => {
    expect(await search('xyzzy')).toMatchObject({ code: 0, stdout: '', stderr: 'Nothing found.\n' });
    expect((await search('  ')).code).toBe(2);
    expect((await typedHere(['search', 'x', '--db', join(place, 'none.db')])).code).toBe(7);
  });
});

describe('info', () => {
  it('counts the records of each resource by status, and tells the size and the last change', async () => {
    const { stdout } = await typedHere(['info', '--db', db, '--output', 'json']);
    const told = JSON.parse(stdout);
    expect(told.bytes).toBeGreaterThanOrEqual(readFileSync(db).length);
    for (const [name, resource] of [
      ['attribute', 'characteristics'],
      ['product', 'products'],
      ['product_review', 'reviews'],
    ] as const) {
      const all = await records(resource);
      const one = told.records.find((summary: { resource: string }) => summary.resource === name);
      expect(one.count).toBe(all.length);
      const statuses = Object.fromEntries(
        [...new Set(all.map(({ status }) => String(status)))].map((status) => [
          status,
          all.filter((record) => record['status'] === status).length,
        ]),
      );
      expect(one.by_status).toEqual(statuses);
      expect(one.updated_at).toBe(Math.max(...all.map((record) => Number(record['updated_at']))));
    }
    const table = (await typedHere(['info', '--db', db])).stdout;
    expect(table).toMatch(/^products +128 +\d{4}-\d\d-\d\d [\d:]+ [+-]\d\d:\d\d +/m);
    expect(table).toMatch(/^run +started .*\n\d+ +\S+ [\d:]+ \S+ +\w+/m);
    expect(table).toMatch(/[\d,]+ bytes, tables of version \d+\n$/);
    const runs = JSON.parse((await typedHere(['runs', '--db', db, '--output', 'json'])).stdout);
    const started = (Array.isArray(runs) ? runs : runs.runs).map(({ run }: { run: number }) => run);
    expect(told.runs.length).toBeGreaterThan(0);
    for (const { run } of told.runs) expect(started).toContain(run);
  });
});

describe('doctor', () => {
  const doctor = (file: string) => typedHere(['doctor', '--db', file]);

  it('finds nothing in a sound catalog, changes nothing of it, and ends with 0', async () => {
    const before = readFileSync(db);
    const { code, stdout } = await doctor(db);
    expect([code, stdout.match(/ ok$/gm)?.length]).toEqual([0, 8]);
    expect(readFileSync(db).equals(before)).toBe(true);
    const { sound, checks } = JSON.parse((await typedHere(['doctor', '--db', db, '--output', 'json'])).stdout);
    expect(sound).toBe(true);
    expect(checks.map(({ level }: { level: string }) => level)).toEqual(Array(8).fill('ok'));
  });

  it.each([
    [
      'references',
      'a reference to nothing',
      ["UPDATE product SET category = 'cate_gone'"],
      /Missing: categories that [\d,]+ products? refer to/,
    ],
    [
      'references',
      'a category below itself',
      ['UPDATE category SET parent = id WHERE seq = (SELECT min(seq) FROM category)'],
      /Circular parents of 1 category: "[^"]+"\. Import/,
    ],
    [
      'references',
      'a circle of categories, and not those below it',
      [
        'UPDATE category SET parent = NULL',
        "UPDATE category SET name = 'C' || seq, parent = (SELECT id FROM category c WHERE c.seq = category.seq + 1)",
        'UPDATE category SET parent = (SELECT id FROM category c WHERE c.seq = category.seq - 1) WHERE seq = (SELECT max(seq) FROM category)',
      ],
      /Circular parents of 2 categories: "C\d+", "C\d+"\. Import/,
    ],
    [
      'indexes',
      'an index that lacks rows',
      ["UPDATE late_index SET upto = 1000000000 WHERE name = 'product_slug'", 'DELETE FROM product_slug'],
      /lacks 128 products/,
    ],
    [
      'indexes',
      'an index of rows that are gone',
      ['INSERT INTO category_slug VALUES (1, 999999)'],
      /1 entry that none of the categories has/,
    ],
    [
      'indexes',
      'a slug of two records',
      ["UPDATE product SET slug = 'same'"],
      /Several products have one slug: "same"/,
    ],
  ])('%s: finds %s, says what to do, and ends with 7', async (check, what, statements, words) => {
    const file = spoiled(what.replaceAll(' ', '-'), 'PRAGMA foreign_keys = OFF', ...statements);
    const { code, stdout } = await doctor(file);
    expect(code).toBe(7);
    expect(stdout).toMatch(new RegExp(`^${check} +PROBLEM$`, 'm'));
    expect(stdout).toMatch(words);
  });

  it('of a catalog of a build before 0.1.0: says so, and changes nothing', async () => {
    const file = spoiled('before', 'PRAGMA user_version = 4');
    const before = readFileSync(file);
    const { code, stderr } = await doctor(file);
    expect(code).toBe(7);
    expect(stderr).toContain('was made by a build before 0.1.0');
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([['doctor'], ['runs'], ['missing', '--feed', 'erp'], ['why', 'product', '--sku', 'A'], ['info']])(
    '%s on a catalog of a newer program says that the program is to be updated',
    async (...args) => {
      const file = spoiled(`newer-${args[0]}`, 'PRAGMA user_version = 99');
      const { code, stderr } = await typedHere([...args, '--db', file]);
      expect([code, stderr]).toEqual([7, expect.stringContaining('made by a newer version')]);
    },
  );

  it('finds a damaged page', async () => {
    const file = spoiled('damaged');
    const bytes = openSync(file, 'r+');
    // In the middle of the file, where tables are.
    writeSync(bytes, Buffer.alloc(30_000, 0x5a), 0, 30_000, 100_000);
    closeSync(bytes);
    const { code, stdout, stderr } = await doctor(file);
    expect(code).toBe(7);
    expect(stdout + stderr).toMatch(/PROBLEM|damaged/);
    expect(stdout + stderr).toMatch(/backup/);
  });

  it('gives hints about files beside the catalog, permissions and expiring keys, which are no problems', async () => {
    const file = spoiled('hints');
    const old = `${file}.abc123-42.tmp`;
    writeFileSync(old, '');
    utimesSync(old, 1, 1);
    writeFileSync(`${file}.abc123-43.tmp`, 'of a process that runs');
    chmodSync(file, 0o644);
    const catalog = await openCatalog({ file, create: false });
    const keys = await catalog.keys();
    const now = Math.floor(Date.now() / 1000);
    await keys.create({ name: 'soon', scopes: ['product:read'], expiresAt: now + 86_400 });
    await keys.create({ name: 'over', scopes: ['product:read'], expiresAt: now - 86_400 });
    await keys.create({ name: 'later', scopes: ['product:read'], expiresAt: now + 90 * 86_400 });
    const { id } = await keys.create({ name: 'revoked', scopes: ['product:read'], expiresAt: now + 60 });
    await keys.revoke(id);
    await catalog.close();
    const { code, stdout } = await doctor(file);
    expect(code).toBe(0);
    expect(stdout).toContain(`${old} was left by a process that was killed. Remove it.`);
    expect(stdout).not.toContain('abc123-43');
    expect(stdout).toMatch(/\(644\).*chmod 600/);
    expect(stdout).toMatch(/\(soon\) expires on /);
    expect(stdout).toMatch(/\(over\) expired on /);
    expect(stdout).not.toMatch(/later|revoked/);
  });

  it('ends with 7 where there is no catalog, and makes none', async () => {
    const { code, stderr } = await doctor(join(place, 'nothing.db'));
    expect([code, stderr.includes('there is no catalog')]).toEqual([7, true]);
  });
});

describe.skipIf(missing !== undefined)(`in PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  it('search, info and doctor say the same of a catalog there', async () => {
    const database = await newTestDatabase();
    const there = database.address('at_hand');
    await typedHere(['run', demo, '--db', there, '-q']);
    const both = async (...args: string[]): Promise<[string, string]> => {
      const [here, remote] = await Promise.all([db, there].map((place) => typedHere([...args, '--db', place])));
      expect([args, remote?.code, remote?.stderr]).toEqual([args, here?.code, here?.stderr]);
      return [here?.stdout ?? '', remote?.stdout ?? ''];
    };
    const withoutIds = (text: string) =>
      text
        .replace(/_[0-9a-z]{26}\b/g, '_…')
        .split('\n')
        .sort();
    const [local, remote] = await both('search', 'case', '--limit', '1000', '--output', 'ndjson');
    expect(withoutIds(remote)).toEqual(withoutIds(local));
    expect(local.split('\n').length).toBeGreaterThan(3);
    const counts = (text: string) =>
      [...text.matchAll(/^(\w+) +(\d+) +\d{4}-\S+ [\d:]+ \S+ +(.*)$/gm)].map(([, ...cells]) => cells);
    const [localInfo, remoteInfo] = await both('info');
    expect(counts(remoteInfo)).toEqual(counts(localInfo));
    expect(counts(localInfo).length).toBeGreaterThan(2);
    expect((await typedHere(['doctor', '--db', there])).stdout).toBe('check  result\nkeys   ok\n');
    await database.close();
  });
});
