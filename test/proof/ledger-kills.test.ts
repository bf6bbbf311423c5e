// A run of a ranked feed, its undo, and the apply of its plan, killed at every step: typed again, each ends as if nothing had
// happened. On SQLite, and at the full tier on PostgreSQL.
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { column, defineTable } from '../../src/core/rows/table.js';
import { openCatalog, openStore } from '../../src/store/open.js';
import { outcome, start } from '../cli/started.js';
import { folder, typedHere } from '../cli/typed.js';
import { resourceCalled } from '../given.js';
import { sharedServer } from '../postgres/shared-server.js';
import { missing } from '../postgres/test-database.js';
import { isFull } from '../tier.js';

const rows = isFull ? 1000 : 120;

const path = folder();

/** Where catalogs are kept, and how one is copied. */
interface Place {
  readonly name: string;
  /** Why there is none. */
  readonly missing: string | undefined;
  readonly points: readonly string[];
  /** Those of which only some turns are tried. */
  readonly sparse: ReadonlySet<string>;
  /** The address of a catalog, a copy of another one. */
  fresh(name: string, from?: string): Promise<string>;
}

const commits = ['before-commit', 'after-commit'];

const sqlite: Place = {
  name: 'SQLite',
  missing: undefined,
  points: isFull ? ['while-saving', ...commits, 'before-report'] : ['before-commit'],
  sparse: new Set(['while-saving', ...(isFull ? [] : commits)]),
  async fresh(name, from) {
    const db = join(path, `${name}.db`);
    if (from !== undefined) copyFileSync(from, db);
    return db;
  },
};

/** Each catalog has a database: PostgreSQL copies one as a whole. */
const postgres: Place = {
  name: 'PostgreSQL',
  missing: isFull ? missing : 'in the full tier only, as each kill copies a database',
  points: [...commits, 'before-report'],
  sparse: new Set([...commits, 'before-report']),
  async fresh(name, from) {
    const server = `postgres://postgres@127.0.0.1:${(await sharedServer()).port}`;
    const client = new pg.Client(`${server}/postgres`);
    await client.connect();
    const template = from === undefined ? '' : ` TEMPLATE "${from.slice(from.lastIndexOf('/') + 1)}"`;
    await client.query(`CREATE DATABASE "kills-${name}"${template}`);
    await client.end();
    return `${server}/kills-${name}`;
  },
};

const off = ['--max-missing', 'off', '--max-created', 'off', '--max-price-change', 'off', '--quiet'];

/** What each feed lists: the night drops some of the first ERP's records, changes others, and brings new ones. */
function feed(first: number, last: number, price: number): string {
  const lines = Array.from({ length: last - first }, (_, i) => `K-${first + i},EUR,${price + ((first + i) % 7)}`);
  return `sku,currency,price\n${lines.join('\n')}\n`;
}

const offers = defineTable('feed_offer', { id: column.text, fields: column.text }, { id: ['id'] });

/** Everything that a user or a later run can see, without times and numbers of runs. */
async function stateOf(db: string): Promise<unknown> {
  const catalog = await openCatalog({ file: db, create: false });
  const products: unknown[] = [];
  for (let after: string | undefined; ; ) {
    const page = await catalog.list(resourceCalled('products'), { limit: 500, ...(after !== undefined && { after }) });
    for (const { id: _, created_at: __, updated_at: ___, ...record } of page.records) products.push(record);
    after = page.next;
    if (after === undefined) break;
  }
  const ledger = await catalog.ledger();
  // A run counts once it is done: one more that was done counts one more, one that was cut off none, and a plan once.
  const done = new Set(
    (await ledger.runs())
      .filter(({ feed, state, detail }) => feed === 'erp' && state === 'done' && !detail.undoes)
      .map(({ number, detail }) => detail.plan ?? number),
  );
  const missing = (await ledger.missing('erp', await ledger.runs())).map(
    ({ key, runs }) => `${key} ${runs - done.size}`,
  );
  await catalog.close();
  const store = await openStore({ file: db, create: false });
  const sent = (await store.readAll(offers))
    .filter(({ fields }) => fields !== '')
    .map(({ id, fields }) => `${id} ${fields}`);
  await store.close();
  return { products, missing: missing.sort(), sent: sent.sort() };
}

async function run(db: string, args: readonly string[]): Promise<string> {
  const { code, stderr, stdout } = await typedHere([...args, '--db', db]);
  expect(stderr + stdout).not.toContain('error:');
  expect(code).toBe(0);
  return stdout;
}

const night = ['products', join(path, 'night.csv'), '--feed', 'erp', ...off];

/** A command, the catalog before it, and what it comes to undisturbed. */
interface Killed {
  readonly name: string;
  readonly from: string;
  readonly args: readonly string[];
  readonly end: unknown;
}

/** Kills a command at each of its steps, and types it again. @returns how many kills there were */
async function killedEverywhere(
  { name: of, points, sparse, fresh }: Place,
  { name, from, args, end }: Killed,
): Promise<number> {
  let kills = 0;
  for (const point of points) {
    // Each commit, and steps that are further and further apart where there are many of them.
    for (let turn = 1; ; turn = sparse.has(point) ? Math.ceil(turn * 1.5) : turn + 1) {
      const db = await fresh(`${name}-${point}-${turn}`, from);
      const { signal, code, stderr } = await outcome(
        start(path, [...args, '--db', db], { CATALOG_FAILPOINT: `${point}:${turn}` }),
      );
      if (signal === null) {
        expect(code, stderr).toBe(0);
        break;
      }
      kills++;
      await run(db, args);
      expect(await stateOf(db), `${name} killed ${point} ${turn}`).toEqual(end);
      const runs = JSON.parse(await run(db, ['runs', '--output', 'json'])) as { state: string }[];
      expect(runs.filter(({ state }) => state === 'open')).toEqual([]);
    }
  }
  console.info(`${of}, ${name}: ${kills} kills`);
  return kills;
}

beforeAll(() => {
  writeFileSync(join(path, 'erp.csv'), feed(0, rows, 100));
  writeFileSync(join(path, 'supplier.csv'), feed(rows / 2, rows + 20, 200));
  writeFileSync(
    join(path, 'night.csv'),
    feed(20, rows - 20, 101) +
      feed(rows + 10, rows + 40, 103)
        .split('\n')
        .slice(1)
        .join('\n'),
  );
  writeFileSync(
    join(path, 'warehouse.csv'),
    feed(rows / 4, rows + 30, 300)
      .replaceAll(/(K-\d+),EUR,(\d+)/g, '$1,EUR,$2,$2')
      .replace('price', 'price,stock'),
  );
});

const places = [sqlite, postgres].map((place) => ({
  ...place,
  why: place.missing === undefined ? '' : `: ${place.missing}`,
}));

for (const place of places)
  describe.skipIf(place.missing !== undefined)(
    `killed at every step and run again, on ${place.name}${place.why}`,
    () => {
      const { fresh, points } = place;
      let base = '';

      beforeAll(async () => {
        base = await fresh('base');
        await run(base, ['feeds', 'set', 'supplier', '--below', 'erp']);
        await run(base, ['feeds', 'set', 'warehouse', '--own', 'stock']);
        await run(base, ['products', join(path, 'erp.csv'), '--feed', 'erp', ...off]);
        await run(base, ['products', join(path, 'supplier.csv'), '--feed', 'supplier', ...off]);
        await run(base, ['products', join(path, 'warehouse.csv'), '--feed', 'warehouse', ...off]);
      });

      it('a run of a feed that drops records, which pass to the one below it', async () => {
        const undisturbed = await fresh('run', base);
        await run(undisturbed, night);
        const killed = { name: 'run', from: base, args: night, end: await stateOf(undisturbed) };
        expect(await killedEverywhere(place, killed)).toBeGreaterThan(points.length);
      });

      it('its undo', async () => {
        const before = await fresh('undo-base', base);
        await run(before, night);
        const undisturbed = await fresh('undo', before);
        await run(undisturbed, ['undo', '4']);
        const end = (await stateOf(undisturbed)) as { products: { sku: string }[] };
        const former = (await stateOf(base)) as { products: { sku: string }[]; sent: unknown };
        // But for the records that the run made, all is as it was before it: also what feeds are remembered to send.
        const made = new Set(former.products.map(({ sku }) => sku));
        expect(end.products.filter(({ sku }) => made.has(sku))).toEqual(former.products);
        const killed = { name: 'undo', from: before, args: ['undo', '4'], end };
        expect(await killedEverywhere(place, killed)).toBeGreaterThan(points.length);
      });

      it('the apply of its plan', async () => {
        const plan = join(path, `${place.name}.plan`);
        await run(base, ['plan', ...night, '--out', plan]);
        const undisturbed = await fresh('apply', base);
        await run(undisturbed, night);
        const killed = { name: 'apply', from: base, args: ['apply', plan, '--quiet'], end: await stateOf(undisturbed) };
        expect(await killedEverywhere(place, killed)).toBeGreaterThan(points.length);
      });
    },
  );
