// A server of PostgreSQL whose disk is full under a night of a feed, its undo and the apply of its plan: each ends with 7 and the
// remedy, nothing is half, what was changed is in the ledger, and typed again each ends as if nothing had happened. First the
// server refuses rows as a full disk does, then (at the full tier, where one may be mounted) on a file system that is full.
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/store/open.js';
import { execFileSync } from '../child.js';
import { folder, typedHere } from '../cli/typed.js';
import { resourceCalled } from '../given.js';
import { newOwnServer, type OwnServer } from '../postgres/own-server.js';
import { rights } from '../postgres/server-files.js';
import { missing } from '../postgres/test-database.js';
import { runProgram } from './program.js';

const rows = 1500;
const path = folder();
const states = { XDG_STATE_HOME: join(path, 'state') };
const products = resourceCalled('products');

/** How much room a catalog has. */
interface Disk {
  readonly name: string;
  /** Why it cannot be tried. */
  readonly missing: string | undefined;
  /** Makes a catalog's tables on it. */
  make(server: OwnServer, schema: string): Promise<void>;
  /** Leaves so much room: the more, the higher the step. */
  leave(server: OwnServer, schema: string, step: number): Promise<void>;
  free(server: OwnServer, schema: string): Promise<void>;
}

const tablesOf = async (server: OwnServer, schema: string): Promise<string[]> =>
  (await server.query(`SELECT tablename FROM pg_tables WHERE schemaname = '${schema}'`)).map(
    ({ tablename }) => `${schema}."${String(tablename)}"`,
  );

/** Each row that is written takes one of the places that are left. */
const counted: Disk = {
  name: 'the server refuses rows',
  missing: undefined,
  async make(server, schema) {
    await server.query(`
      CREATE SEQUENCE ${schema}.room MINVALUE -100000000;
      CREATE FUNCTION ${schema}.takes_room() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF nextval('${schema}.room') > 0 THEN
          RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
        END IF;
        RETURN NEW;
      END $$;
      SELECT setval('${schema}.room', -10000000)`);
    for (const table of await tablesOf(server, schema))
      await server.query(
        `CREATE TRIGGER room AFTER INSERT OR UPDATE ON ${table} FOR EACH ROW EXECUTE FUNCTION ${schema}.takes_room()`,
      );
  },
  async leave(server, schema, step) {
    await server.query(`SELECT setval('${schema}.room', ${-Math.floor(step * rows * 0.4) - 1})`);
  },
  async free(server, schema) {
    await server.query(`SELECT setval('${schema}.room', -10000000)`);
  },
};

/** Mounts a file system for a server; false where this user may not. */
function mounted(place: string): boolean {
  try {
    chmodSync(place, 0o755);
    const owner = `uid=${rights().uid ?? 0},gid=${rights().gid ?? 0},mode=700`;
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=256m,${owner}`, 'tmpfs', place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const small = mkdtempSync(join(tmpdir(), 'catalog-small-'));
const canMount = mounted(small);
const kib = (size: number) => execFileSync('mount', ['-o', `remount,size=${size}k`, small]);

const mountedDisk: Disk = {
  name: 'a file system is full',
  missing: canMount ? undefined : 'this user may not mount one',
  async make(server, schema) {
    await server.query(`CREATE TABLESPACE ${schema} LOCATION '${small}'`);
    for (const table of await tablesOf(server, schema)) {
      await server.query(`ALTER TABLE ${table} SET TABLESPACE ${schema}`);
      const [place, name] = table.replaceAll('"', '').split('.');
      const indexes = await server.query(
        `SELECT indexname FROM pg_indexes WHERE schemaname = '${place}' AND tablename = '${name}'`,
      );
      for (const { indexname } of indexes)
        await server.query(`ALTER INDEX ${schema}."${String(indexname)}" SET TABLESPACE ${schema}`);
    }
  },
  async leave(server, schema, step) {
    await this.free(server, schema);
    await server.query('CHECKPOINT');
    const { blocks, bfree, bsize } = statfsSync(small);
    kib(Math.ceil(((blocks - bfree) * bsize) / 1024) + 8 + step * 120);
  },
  async free() {
    kib(256 * 1024);
  },
};

const disks = [counted, mountedDisk].map((disk) => ({
  ...disk,
  why: disk.missing === undefined ? '' : `: ${disk.missing}`,
}));

/** What a feed lists. */
function feed(name: string, from: number, to: number, price: number): string {
  const lines = Array.from(
    { length: to - from },
    (_, i) => `F-${from + i},EUR,${price + ((from + i) % 7)}.00,${i % 9}`,
  );
  writeFileSync(join(path, name), `sku,currency,price,stock\n${lines.join('\n')}\n`);
  return join(path, name);
}

/** Products without identifiers and times, by SKU. */
async function stateOf(db: string): Promise<Map<string, Record<string, unknown>>> {
  const catalog = await openCatalog({ file: db, create: false });
  const found = new Map<string, Record<string, unknown>>();
  for (let after: string | undefined; ; ) {
    const page = await catalog.list(products, { limit: 500, ...(after !== undefined && { after }) });
    for (const { id: _, created_at: __, updated_at: ___, ...record } of page.records)
      found.set(String(record['sku']), record);
    after = page.next;
    if (after === undefined) break;
  }
  await catalog.close();
  return found;
}

/** SKUs of which the price or status is another one than before. */
function changedSkus(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): string[] {
  return [...after]
    .filter(([sku, record]) => JSON.stringify(before.get(sku)) !== JSON.stringify(record))
    .map(([sku]) => sku);
}

/** SKUs that runs changed, by the ledger. */
async function recordedSkus(db: string, after: number): Promise<string[]> {
  const catalog = await openCatalog({ file: db, create: false });
  const ledger = await catalog.ledger();
  const skus = new Set<string>();
  for (const run of await ledger.runs())
    if (run.number > after)
      for await (const changes of ledger.changes(run)) for (const { key } of changes) skus.add(key);
  await catalog.close();
  return [...skus];
}

const off = ['--max-missing', 'off', '--max-created', 'off', '--max-price-change', 'off'];

afterAll(() => {
  if (canMount) execFileSync('umount', ['-l', small]);
  rmSync(small, { recursive: true });
});

for (const disk of disks)
  describe.skipIf((missing ?? disk.missing) !== undefined)(`on PostgreSQL ${disk.name}${disk.why}`, () => {
    const schema = `full_${disk === disks[0] ? 'counted' : 'mounted'}`;
    let server: OwnServer;
    let db = '';
    const undisturbed = join(path, `${schema}.db`);
    const base = feed(`${schema}-base.csv`, 0, rows, 100);
    const night = ['products', '', '--feed', 'erp', ...off, '--quiet'];

    const typed = (catalog: string, ...args: string[]) => typedHere([...args, '--db', catalog], states);
    const runs = async () =>
      JSON.parse((await typed(db, 'runs', '--output', 'json')).stdout) as Record<string, unknown>[];

    beforeAll(async () => {
      server = await newOwnServer(['fsync=off']);
      db = `${server.address}?schema=${schema}`;
      expect((await typed(db, 'db', 'migrate')).code).toBe(0);
      await disk.make(server, schema);
      for (const catalog of [db, undisturbed])
        expect((await typed(catalog, 'products', base, '--feed', 'erp', '--quiet')).code).toBe(0);
      night[1] = feed(`${schema}-night.csv`, Math.floor(rows / 10), Math.floor(rows * 1.5), 101);
    });
    afterAll(async () => {
      await server.remove();
    });

    /** Types a command with more and more room until it passes. @returns how often there was too little */
    async function untilItPasses(...args: string[]): Promise<number> {
      const start = await stateOf(db);
      const latest = Number((await runs()).at(-1)?.['run']);
      for (let step = 0; ; step++) {
        await disk.leave(server, schema, step);
        // A process of its own: a run that could not be ended is interrupted once its process has ended.
        const { code, stderr } = await runProgram([...args, '--db', db], { env: states });
        await disk.free(server, schema);
        const after = await stateOf(db);
        expect((await recordedSkus(db, latest)).sort(), args.join(' ')).toEqual(changedSkus(start, after).sort());
        if (code === 0) return step;
        expect([code, stderr]).toEqual([
          7,
          expect.stringContaining('its disk is full; make room and run the same command again'),
        ]);
        const last = (await runs()).at(-1);
        if (Number(last?.['run']) > latest) expect(['interrupted', 'failed']).toContain(last?.['state']);
      }
    }

    it('a night, its undo and the apply of its plan end right, whenever there was no room', async () => {
      const former = await stateOf(db);
      expect(await untilItPasses(...night)).toBeGreaterThanOrEqual(2);
      expect((await typed(undisturbed, ...night)).code).toBe(0);
      const later = await stateOf(undisturbed);
      expect(await stateOf(db)).toEqual(later);

      // Each of the interrupted runs is one that can be taken back, the latest first.
      const parts = (await runs()).filter(({ run }) => Number(run) > 1).reverse();
      let failures = 0;
      for (const { run } of parts) failures += await untilItPasses('undo', String(run), '--quiet');
      expect(failures).toBeGreaterThanOrEqual(1);
      const back = await stateOf(db);
      for (const [sku, record] of former) expect(back.get(sku), sku).toEqual(record);
      for (const [sku, { status }] of back) if (!former.has(sku)) expect(status).toBe('suspended');

      const plan = join(path, `${schema}.plan`);
      expect((await typed(db, 'plan', ...night, '--out', plan)).code).toBe(0);
      expect(await untilItPasses('apply', plan, '--quiet')).toBeGreaterThanOrEqual(1);
      const applied = await stateOf(db);
      for (const [sku, record] of later) expect(applied.get(sku), sku).toEqual(record);
      expect((await typed(db, 'doctor', '--quiet')).code).toBe(0);
    });
  });
