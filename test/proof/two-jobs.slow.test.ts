// Many nights of two jobs whose feeds share SKUs, in one catalog the ERP first and in another the supplier: with a ranking both
// end the same, and `why` names run and line of every value of every field.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/store/open.js';
import { folder, typedHere } from '../cli/typed.js';
import { resourceCalled } from '../given.js';
import { randomFrom } from '../random.js';
import { repetitions } from '../tier.js';

const records = repetitions('JOBS_PRODUCTS', { fast: 30, moderate: 40, full: 200 });
const nights = repetitions('JOBS_NIGHTS', { fast: 3, moderate: 5, full: 30 });

const fields = ['name', 'price', 'stock', 'description', 'note'] as const;
type Field = (typeof fields)[number];
type Values = Partial<Record<Field, string>>;
type Feed = 'erp' | 'supplier';
/** Rows by SKU. */
type Listed = ReadonlyMap<string, Values>;

/** What each feed may send, and how often a cell is empty: the ERP has no notes, the supplier no stock. */
const sends: Readonly<Record<Feed, Partial<Record<Field, number>>>> = {
  erp: { name: 0, price: 0.15, stock: 0, description: 0.5 },
  supplier: { name: 0.3, price: 0.05, description: 0.1, note: 0.2 },
};

function cell(feed: Feed, field: Field, random: () => number): string {
  const number = Math.floor(random() * 4);
  if (field === 'price') return `${(feed === 'erp' ? 100 : 200) + number}.00`;
  return field === 'stock' ? String(number) : `${field} ${number} of ${feed}`;
}

/** A feed in a night: most rows are as they were, some change, come or go. */
function nextNight(feed: Feed, before: Listed, random: () => number): Listed {
  const next = new Map<string, Values>();
  for (let i = 0; i < records; i++) {
    const sku = `P-${String(i).padStart(4, '0')}`;
    const known = before.get(sku);
    if (random() < (known === undefined ? 0.75 : 0.08)) continue;
    if (known !== undefined && random() < 0.7) next.set(sku, known);
    else {
      const values: Values = {};
      for (const [field, empty] of Object.entries(sends[feed]) as [Field, number][])
        if (random() >= empty) values[field] = cell(feed, field, random);
      next.set(sku, values);
    }
  }
  return next;
}

/** What a field was given: the run and the line, 0 where the record was not in the file. */
interface Given {
  readonly run: number;
  readonly line: number;
  readonly value: string;
}

/** The simple model: in each field the value of the ERP where it lists the record and sends the field, else the supplier's. */
class Model {
  readonly lists: Record<Feed, Listed> = { erp: new Map(), supplier: new Map() };
  readonly created = new Map<string, Omit<Given, 'value'>>();
  readonly values = new Map<string, Record<Field, string>>();
  readonly history = new Map<string, Given[]>();

  run(feed: Feed, run: number, listed: Listed): void {
    this.lists[feed] = listed;
    const lines = new Map([...listed.keys()].map((sku, i) => [sku, i + 2]));
    for (const sku of new Set([...listed.keys(), ...this.values.keys()])) {
      const line = lines.get(sku) ?? 0;
      const isNew = !this.values.has(sku);
      const values = this.values.get(sku) ?? { name: sku, price: '0.00', stock: '0', description: '', note: '' };
      for (const field of fields) {
        const value = this.lists.erp.get(sku)?.[field] ?? this.lists.supplier.get(sku)?.[field];
        if (value === undefined || value === values[field]) continue;
        values[field] = value;
        const key = `${sku} ${field}`;
        if (!isNew) this.history.set(key, [{ run, line, value }, ...(this.history.get(key) ?? [])]);
      }
      if (isNew) this.created.set(sku, { run, line });
      this.values.set(sku, values);
    }
  }
}

const guardsOff = ['--max-missing', '--max-created', '--max-price-change'].flatMap((guard) => [guard, 'off']);

interface Shop {
  readonly db: string;
  readonly model: Model;
  runs: number;
}

async function shopIn(path: string): Promise<Shop> {
  const db = join(path, 'shop.db');
  await typedHere(['feeds', 'set', 'supplier', '--below', 'erp', '--db', db, '--quiet']);
  return { db, model: new Model(), runs: 0 };
}

async function job(shop: Shop, feed: Feed, listed: Listed): Promise<void> {
  const columns = Object.keys(sends[feed]) as Field[];
  const lines = [...listed].map(([sku, values]) => [sku, 'EUR', ...columns.map((name) => values[name] ?? '')].join());
  const file = join(shop.db, '..', `${feed}.csv`);
  writeFileSync(file, `${[['sku', 'currency', ...columns].join(), ...lines].join('\n')}\n`);
  const { code, stderr } = await typedHere([
    'products',
    file,
    '--feed',
    feed,
    '--db',
    shop.db,
    '--quiet',
    ...guardsOff,
  ]);
  if (code !== 0) throw new Error(stderr);
  shop.model.run(feed, ++shop.runs, listed);
}

const product = resourceCalled('products');

describe('two jobs a night', () => {
  const shops: Shop[] = [];

  beforeAll(async () => {
    const random = randomFrom(20261122);
    shops.push(await shopIn(folder()), await shopIn(folder()));
    let erp: Listed = new Map();
    let supplier: Listed = new Map();
    for (let night = 0; night < nights; night++) {
      erp = nextNight('erp', erp, random);
      supplier = nextNight('supplier', supplier, random);
      const jobs = [
        ['erp', erp],
        ['supplier', supplier],
      ] as const;
      for (const [feed, listed] of jobs) await job(shops[0] as Shop, feed, listed);
      for (const [feed, listed] of [...jobs].reverse()) await job(shops[1] as Shop, feed, listed);
    }
  });

  it('result in the same catalog in either order, equal to a simple model', async () => {
    for (const { db, model } of shops) {
      const catalog = await openCatalog({ file: db, create: false });
      for (const [sku, values] of model.values) {
        const read = await catalog.read(product, { key: sku });
        // What no feed sends any more stays as it is: it may differ with the order.
        for (const field of fields) expect(String(read?.[field]), `${sku} ${field}`).toBe(values[field]);
      }
      await catalog.close();
    }
    const [one, other] = shops as [Shop, Shop];
    for (const [sku, values] of one.model.values)
      for (const field of fields) {
        const isSent = (['erp', 'supplier'] as const).some(
          (feed) => one.model.lists[feed].get(sku)?.[field] !== undefined,
        );
        if (isSent) expect(other.model.values.get(sku)?.[field], `${sku} ${field}`).toBe(values[field]);
      }
  });

  it('are explained: why names run and line of every value of a field', async () => {
    for (const { db, model } of shops) {
      const catalog = await openCatalog({ file: db, create: false });
      const ledger = await catalog.ledger();
      for (const [sku, created] of model.created) {
        const told = (await ledger.explain(product, sku))?.fields ?? [];
        expect(told.at(-1)).toMatchObject({ field: '', ...created });
        for (const field of fields) {
          const given = told
            .filter((one) => one.field === field)
            .map(({ run, line, value }) => ({ run, line, value: String(value) }));
          expect(given, `${sku} ${field}`).toEqual(model.history.get(`${sku} ${field}`) ?? []);
        }
      }
      await catalog.close();
    }
  });
});
