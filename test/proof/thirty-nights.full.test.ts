// Thirty nights of an ERP export in each store, with accidents that come at random (NIGHT_SEED repeats a draw): each is stopped by a
// guard before its first write, no ordinary night is, and after each night the catalog is what a model says.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/store/open.js';
import { typedHere } from '../cli/typed.js';
import { resourceCalled } from '../given.js';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { randomFrom, seedOf } from '../random.js';

const products = 2000;
const explained = 200;
const seed = seedOf('NIGHT_SEED');

interface Row {
  sku: string;
  name: string;
  price: number;
  stock: number;
  /** Of some, prices of two grades in the place of its own. */
  grades: readonly [number, number] | undefined;
}

/** The goods of the ERP, which change a little every night. */
function erp(random: () => number) {
  let next = 0;
  const newRow = (): Row => {
    const number = next++;
    const graded = number % 7 === 0;
    return {
      sku: String(number).padStart(8, '0'),
      name: `Article ${number}`,
      price: 500 + Math.floor(random() * 90_000),
      stock: Math.floor(random() * 50),
      grades: graded ? [1000 + Math.floor(random() * 5000), 500 + Math.floor(random() * 500)] : undefined,
    };
  };
  let rows = Array.from({ length: products }, newRow);
  return {
    rows: () => rows,
    /** An ordinary night: a few prices and stocks, some articles come and go. */
    change(): void {
      rows = rows
        .filter(() => random() > 0.01)
        .map((row) => {
          const chance = random();
          if (chance < 0.1) return { ...row, price: Math.round(row.price * (0.9 + random() * 0.2)) };
          if (chance < 0.3) return { ...row, stock: Math.floor(random() * 50) };
          if (chance < 0.32 && row.grades) return { ...row, grades: [row.grades[0] + 10, row.grades[1]] as const };
          return row;
        });
      for (let i = 0; i < products * 0.01; i++) rows.push(newRow());
    },
  };
}

const amount = (cents: number): string => (cents / 100).toFixed(2);

function csv(rows: readonly Row[], currency = 'EUR'): string {
  const header = 'sku,name,currency,price,stock,status,grades[new].price,grades[good].price\n';
  const line = ({ sku, name, price, stock, grades }: Row): string => {
    const own = grades === undefined ? [amount(price), stock] : ['', ''];
    return [
      sku,
      name,
      currency,
      ...own,
      'activated',
      ...(grades ?? []).map(amount),
      ...(grades ? [] : ['', '']),
    ].join();
  };
  return header + rows.map((row) => `${line(row)}\n`).join('');
}

/** What happens to an export on its way. */
const accidents: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  'cut at a line end': (rows) => csv(rows.slice(0, Math.floor(rows.length * 0.45))),
  'all prices 0': (rows) => csv(rows.map((row) => ({ ...row, price: 0, grades: row.grades && [0, 0] }))),
  'prices times 100': (rows) => csv(rows.map(inCents)),
  'half the SKUs without their leading zeros': (rows) =>
    csv(rows.map((row, i) => (i % 2 === 0 ? row : { ...row, sku: String(Number(row.sku)) }))),
  'empty but for its header': () => csv([]),
  'the file of another feed': (rows) => csv(rows.map((row) => ({ ...row, sku: `X-${row.sku}` }))),
  'another currency': (rows) => csv(rows, 'USD'),
  'cells moved one column to the right': (rows) => csv(rows).replaceAll(/^(\d+),/gm, '$1,,'),
  'an empty file': () => '',
};

function inCents(row: Row): Row {
  return { ...row, price: row.price * 100, grades: row.grades && [row.grades[0] * 100, row.grades[1] * 100] };
}

/** The share of nights with an accident. */
const accidental = 0.2;

const folder = mkdtempSync(join(tmpdir(), 'catalog-nights-'));
const file = join(folder, 'export.csv');

/** Every product with all that belongs to it, but for when it was changed last. */
async function everythingIn(db: string): Promise<ReadonlyMap<string, Record<string, unknown>>> {
  const catalog = await openCatalog({ file: db, create: false });
  const found = new Map<string, Record<string, unknown>>();
  try {
    for (let after: string | undefined, more = true; more; more = after !== undefined) {
      const request = {
        limit: 500,
        include: ['names', 'grades', 'attributes', 'media'],
        ...(after !== undefined && { after }),
      };
      const page = await catalog.list(resourceCalled('products'), request);
      for (const { updated_at: _, ...record } of page.records) found.set(String(record['sku']), record);
      after = page.next;
    }
  } finally {
    await catalog.close();
  }
  return found;
}

/** A record field by field, as `why` names them: entries of lists by what they are recognized by. */
function fieldsOf(record: Record<string, unknown>): Map<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [name, value] of Object.entries(record)) {
    if (name !== 'grades') fields.set(name, value);
    else
      for (const { grade, ...entry } of value as Record<string, unknown>[])
        for (const [member, own] of Object.entries(entry)) fields.set(`grades[${grade}].${member}`, own);
  }
  return fields;
}

/** A value that a field was given. */
interface Given {
  readonly run: number;
  /** 0 where the file does not have the record: it was suspended for that. */
  readonly line: number;
  readonly value: unknown;
}

/** What a night came to. */
interface Night {
  readonly accident: string | undefined;
  readonly code: number;
  readonly stderr: string;
}

interface Place {
  readonly store: string;
  readonly nights: number;
  readonly skipped?: string | undefined;
  /** The address of a catalog. */
  address(name: string): string;
}

let database: TestDatabase | undefined;
const places: readonly Place[] = [
  { store: 'a file', nights: 30, address: (name) => join(folder, `${name}.db`) },
  { store: 'PostgreSQL', nights: 30, skipped: missing, address: (name) => database?.address(name) ?? '' },
];

beforeAll(async () => {
  if (missing === undefined) database = await newTestDatabase();
});
afterAll(() => database?.close());

function nightsIn({ nights: count, address }: Place): void {
  const db = () => address('shop');
  const type = (...args: string[]) => typedHere([...args, '--db', db()]);
  const everything = () => everythingIn(db());
  const nights: Night[] = [];
  const random = randomFrom(seed);
  const goods = erp(random);
  /** What accepted nights gave each field of a product, the latest first, found by reading all products after each. */
  const given = new Map<string, Map<string, Given[]>>();
  const created = new Map<string, Omit<Given, 'value'>>();
  let before: Awaited<ReturnType<typeof everythingIn>> = new Map();
  const kinds = Object.keys(accidents);
  /** What the catalog has to be: each product as it was listed last, and in how many accepted nights since it was not. */
  const model = new Map<string, { readonly row: Row; readonly missed: number }>();

  async function play(night: number): Promise<void> {
    if (night > 0) goods.change();
    // The last night is what the tests below begin with; one has an accident however few there are.
    const isOrdinary = night === 0 || night === count - 1 || (night !== 1 && random() >= accidental);
    const accident = isOrdinary ? undefined : (kinds[Math.floor(random() * kinds.length)] as string);
    const rows = goods.rows();
    writeFileSync(file, accident === undefined ? csv(rows) : (accidents[accident]?.(rows) ?? ''));
    const { code, stderr } = await type(
      'products',
      file,
      '--feed',
      'erp',
      '--missing',
      'suspend',
      '--missing-after',
      '3',
    );
    nights.push({ accident, code, stderr });
    const after = await everything();
    if (accident !== undefined)
      return void expect(after, `${accident} in night ${night}, seed ${seed}`).toEqual(before);
    for (const [sku, known] of model) model.set(sku, { ...known, missed: known.missed + 1 });
    for (const row of rows) model.set(row.sku, { row, missed: 0 });
    compare(after, night);
    const lines = new Map(rows.map(({ sku }, i) => [sku, i + 2]));
    for (const [sku, record] of after) take(night + 1, lines.get(sku) ?? 0, [before.get(sku), record]);
    if (night > 0 && undone(night)) await undoAndBack(String(night + 1), before, after);
    before = after;
  }

  /** Compares all products with the model. */
  function compare(found: typeof before, night: number): void {
    expect([...found.keys()].sort(), `night ${night}, seed ${seed}`).toEqual([...model.keys()].sort());
    for (const [sku, { row, missed }] of model) {
      const { name, price, stock, grades } = row;
      const prices = grades === undefined ? [] : [...grades].map(amount);
      expect(found.get(sku), `${sku} in night ${night}, seed ${seed}`).toMatchObject({
        ...{ name, currency: 'EUR', price: amount(grades === undefined ? price : Math.min(...grades)) },
        ...{ stock: grades === undefined ? stock : 0, status: missed >= 3 ? 'suspended' : 'activated' },
        grades: prices.map((own) => ({ price: own, status: 'activated' })),
      });
    }
  }

  /** Remembers what a run gave a product. */
  function take(run: number, line: number, [known, record]: readonly (Record<string, unknown> | undefined)[]): void {
    const sku = String(record?.['sku']);
    const own = given.get(sku) ?? new Map<string, Given[]>();
    given.set(sku, own);
    if (known === undefined) return void created.set(sku, { run, line });
    const former = fieldsOf(known);
    for (const [field, value] of fieldsOf(record as Record<string, unknown>))
      if (JSON.stringify(value) !== JSON.stringify(former.get(field)))
        own.set(field, [{ run, line, value }, ...(own.get(field) ?? [])]);
  }

  /** Nights that are taken back at once: at a full tier every one. */
  function undone(night: number): boolean {
    return products === 2000 || night % 18 === 2;
  }

  /** In a copy of the catalog a night is taken back, and then that again. */
  async function undoAndBack(run: string, former: typeof before, latter: typeof before): Promise<void> {
    const copy = address(`night_${run}`);
    expect((await typedHere(['copy', '--from', db(), '--to', copy, '--quiet'])).code).toBe(0);
    const typed = (...args: string[]) => typedHere([...args, '--db', copy, '--quiet']);
    expect((await typed('undo', run)).code).toBe(0);
    const back = await everythingIn(copy);
    for (const [sku, record] of former) expect(back.get(sku), `night ${run}: ${sku}`).toEqual(record);
    for (const [sku, { status }] of back) if (!former.has(sku)) expect(status, sku).toBe('suspended');
    const latest = JSON.parse((await typed('runs', '--output', 'json')).stdout) as { run: number }[];
    expect((await typed('undo', String(latest.at(-1)?.run))).code).toBe(0);
    expect(await everythingIn(copy), `night ${run} again`).toEqual(latter);
  }

  beforeAll(async () => {
    for (let night = 0; night < count; night++) await play(night);
  });

  it('allow every ordinary night', () => {
    const ordinary = nights.filter(({ accident }) => accident === undefined);
    expect(ordinary.filter(({ code }) => code !== 0)).toEqual([]);
  });

  it('stop every accident before its first write, with the figures and the command that continues', () => {
    const stopped = nights.filter(({ accident }) => accident !== undefined);
    expect(stopped.length).toBeGreaterThan(0);
    for (const { accident, code, stderr } of stopped) {
      expect(code, `${accident}, seed ${seed}: ${stderr}`).toBe(8);
      expect(stderr).toContain('nothing was written');
      expect(stderr).toMatch(/go on with:\n {2}catalog-import apply \S+blocked-\d+\.plan --db \S*shop\S*\n/);
    }
  });

  it('is explained: why names run and line of every value that every field was given', async () => {
    const skus = [...given.keys()].filter((_, i) => i % Math.ceil(given.size / explained) === 0);
    expect(skus.length).toBeGreaterThanOrEqual(explained / 2);
    for (const sku of skus) {
      const { stdout } = await type('why', 'product', '--sku', sku, '--output', 'json');
      const told = JSON.parse(stdout) as (Given & { readonly field: string })[];
      expect(told.at(-1), sku).toMatchObject({ field: '', ...created.get(sku) });
      const fields: Record<string, Given[]> = {};
      for (const { field, run, line, value } of told.slice(0, -1)) {
        fields[field] ??= [];
        fields[field].push({ run, line, value });
      }
      expect(fields, sku).toEqual(Object.fromEntries(given.get(sku) ?? []));
    }
  });

  it('missing lists what left the feed, which is suspended after three runs', async () => {
    const now = new Set(goods.rows().map(({ sku }) => sku));
    const catalog = await everything();
    const gone = [...catalog.keys()].filter((sku) => !now.has(sku));
    const { stdout } = await type('missing', '--feed', 'erp', '--output', 'json');
    const missing = JSON.parse(stdout) as { key: string; missing_runs: number; status: string }[];
    expect(missing.map(({ key }) => key).sort()).toEqual(gone.sort());
    expect(missing.length).toBeGreaterThan(0);
    for (const { key, missing_runs, status } of missing)
      expect(status, `${key} ${missing_runs}`).toBe(missing_runs >= 3 ? 'suspended' : 'activated');
  });

  it('any night is undone exactly, in every record that existed before', async () => {
    const before = await everything();
    writeFileSync(file, csv(goods.rows().map(inCents)));
    const forced = await type('products', file, '--feed', 'erp', '--max-price-change', 'off', '--quiet');
    expect(forced.code).toBe(0);
    const runs = JSON.parse((await type('runs', '--output', 'json')).stdout) as { run: number }[];
    const run = String(runs.at(-1)?.run);
    expect(await everything()).not.toEqual(before);
    const dry = await type('undo', run, '--dry-run');
    const { code, stdout } = await type('undo', run);
    expect(code).toBe(0);
    expect(dry.stdout).toBe(`Dry run: ${stdout}`);
    expect(await everything()).toEqual(before);
    expect((await type('undo', run)).stdout).toContain(' 0 restored, 0 suspended, 0 kept');
    // An ordinary night with new articles: those are suspended, all others as before.
    goods.change();
    writeFileSync(file, csv(goods.rows()));
    await type('products', file, '--feed', 'erp', '--quiet');
    const latest = JSON.parse((await type('runs', '--output', 'json')).stdout) as { run: number; created: number }[];
    expect(latest.at(-1)?.created).toBeGreaterThan(0);
    await type('undo', String(latest.at(-1)?.run));
    const after = await everything();
    for (const [sku, record] of before) expect(after.get(sku), sku).toEqual(record);
    for (const [sku, record] of after) if (!before.has(sku)) expect(record['status']).toBe('suspended');
  });
}

for (const { skipped, ...place } of places)
  describe.skipIf(skipped !== undefined)(
    `${place.nights} nights in ${place.store}${skipped === undefined ? '' : `: ${skipped}`}`,
    () => nightsIn(place),
  );
