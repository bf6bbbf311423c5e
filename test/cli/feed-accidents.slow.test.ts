// What happens to an export on its way, and changes no count of rows: which of it the guards of a feed stop by default, which
// they let through, and that ordinary nights pass.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { isBreach } from '../../src/core/ledger/guard-figure.js';
import { noCounts } from '../../src/core/report-counts.js';
import { guardFigures, noFigures } from '../../src/importing/guards/figures.js';
import { judgeFigures } from '../../src/importing/guards/judge.js';
import { resourceCalled } from '../given.js';
import { folder, typedHere } from './typed.js';

interface Goods {
  readonly sku: string;
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly price: number;
  readonly stock: number;
  readonly status: string;
  readonly badge: string;
}

const count = 60;
const goods: readonly Goods[] = Array.from({ length: count }, (_, i) => ({
  ...{ sku: `A-${i}`, name: `Article ${i}`, description: `Für ${i}`, currency: 'EUR', price: 10 + i },
  ...{ stock: 1 + (i % 9), status: 'activated', badge: i < 9 ? 'new' : '' },
}));

function csv(rows: readonly Partial<Goods>[], header: string = Object.keys(goods[0] as Goods).join()): string {
  return `${header}\n${rows.map((row) => `${Object.values(row).join()}\n`).join('')}`;
}

/** The goods with another value in some rows. */
function changed(change: (row: Goods, i: number) => Partial<Goods>): string {
  return csv(goods.map((row, i) => ({ ...row, ...change(row, i) })));
}

const cents = (price: number): number => Math.round(price * 100) / 100;

/** UTF-8 that is read as latin-1. */
const latin = (text: string): string => Buffer.from(text).toString('latin1');

const path = folder();
const db = join(path, 'shop.db');
const file = join(path, 'export.csv');
const type = (...args: string[]) => typedHere([...args, '--db', db]);

function night(text: string, ...options: string[]) {
  writeFileSync(file, text);
  return type('products', file, '--feed', 'erp', '--quiet', ...options);
}

/** Writes the file of a night; no options. */
function written(text: string): string[] {
  writeFileSync(file, text);
  return [];
}

/** Guards are held against a dry run, too, which leaves the catalog to the next case. */
const rehearsed = (text: string, ...options: string[]) => night(text, '--dry-run', ...options);

beforeAll(async () => {
  expect((await night(csv(goods))).code).toBe(0);
});

describe('the guards of a feed stop', () => {
  const renamed = Object.keys(goods[0] as Goods)
    .join()
    .replace('price', 'net price');
  const stopped: Readonly<Record<string, readonly [text: string, words: string]>> = {
    'a column that was renamed': [csv(goods, renamed), '--max-missing: 1 field lacks values that the last run had'],
    'a column that was emptied': [changed(() => ({ description: '' })), 'description: 60 values fewer, 100 % of 60'],
    'a column of which half was emptied': [
      changed((_, i) => (i % 2 === 0 ? { description: '' } : {})),
      'description: 30 values fewer, 50 % of 60',
    ],
    'prices in another currency': [changed(() => ({ currency: 'USD' })), 'line 2: A-0: currency EUR → USD'],
    'products that customers no longer see': [
      changed((_, i) => ({ status: i % 2 === 0 ? 'draft' : 'activated' })),
      '--max-missing: 30 would no longer be shown, 50 % of 60 (limit 20 %)',
    ],
    'products of which none is left': [
      changed(() => ({ stock: 0 })),
      '--max-missing: 60 would be out of stock, 100 % of 60 (limit 20 %)',
    ],
    'texts in a wrong encoding': [
      changed(({ description }) => ({ description: latin(description) })),
      '--max-missing: 60 would have a damaged text, 100 % of 60 (limit 20 %)\n    line 2: A-0: description Für 0 → FÃ¼r 0\n',
    ],
    'texts that lost letters': [
      changed(({ description }) => ({ description: description.replace('ü', '?') })),
      'line 2: A-0: description Für 0 → F?r 0',
    ],
    'values that are spelled out as missing': [
      changed(() => ({ name: '#REF!', description: 'NULL' })),
      'line 2: A-0: name Article 0 → #REF!',
    ],
    'two columns whose headers changed places': [
      csv(
        goods,
        Object.keys(goods[0] as Goods)
          .join()
          .replace('name,description', 'description,name'),
      ),
      '60 would have a damaged text',
    ],
    'a share just beyond the limit, and say so': [
      changed((_, i) => (i < 13 ? { stock: 0 } : {})),
      '13 would be out of stock, 21.7 % of 60 (limit 20 %)',
    ],
  };
  it.each(Object.entries(stopped))('%s', async (_, [text, words]) => {
    const { code, stderr } = await rehearsed(text);
    expect(stderr).toContain(words);
    expect(code).toBe(8);
  });

  it('half the rows of a file as missing rows, and not as missing values', async () => {
    const { code, stderr } = await rehearsed(csv(goods.slice(0, 30)));
    expect(code).toBe(8);
    expect(stderr).toContain('30 are missing, 50 % of 60');
    expect(stderr).not.toContain('values');
  });
});

it('where only --min-rows 1 is left, the file is read once, and an empty one is stopped all the same', async () => {
  const names = ['missing', 'created', 'price-change', 'shown', 'emptied', 'refused'];
  const off = names.flatMap((name) => [`--max-${name}`, 'off']);
  const once = await typedHere([
    'products',
    file,
    '--feed',
    'erp',
    '--db',
    db,
    '--dry-run',
    '--report',
    'none',
    ...off,
  ]);
  expect(once.code).toBe(0);
  expect(once.stderr).not.toContain('within its guards');
  const empty = await rehearsed(csv([]), ...off);
  expect(empty.code).toBe(8);
  expect(empty.stderr).toContain('--min-rows: 0 rows; at least 1 are expected');
  const more = await rehearsed(csv(goods), ...off, '--min-rows', '100');
  expect([more.code, more.stderr]).toEqual([8, expect.stringContaining('60 rows; at least 100 are expected')]);
});

describe('the guards of a feed let through', () => {
  it('a part of the file, of which nothing counts as missing', async () => {
    const { code, stderr } = await rehearsed(csv(goods), '--limit', '3');
    expect([code, stderr]).toEqual([0, '']);
  });

  const passing: Readonly<Record<string, string>> = {
    'the same file': csv(goods),
    'another order of rows': csv([...goods].reverse()),
    'columns in another order, and a new one': csv(
      goods.map(({ sku, ...row }) => ({ ...row, sku, tag: 'sale' })),
      [...Object.keys(goods[0] as Goods).slice(1), 'sku', 'tag'].join(),
    ),
    'a column of few values that is gone': changed(() => ({ badge: '' })),
    'some products that are hidden, sold out and without a text': changed((_, i) =>
      i < 12 ? { status: 'suspended', stock: 0, description: '' } : {},
    ),
    'spaces around keys': csv(goods.map((row) => ({ ...row, sku: ` ${row.sku} ` }))),
    'all rows twice': csv([...goods, ...goods]),
  };
  it.each(Object.entries(passing))('%s', async (_, text) => {
    expect(await rehearsed(text)).toMatchObject({ code: 0, stderr: '' });
  });

  it('what they do not know: names that moved to the next row, and other stocks; it is told, and --max-changed stops them', async () => {
    const moved = changed((_, i) => ({ name: `Article ${(i + 1) % count}` }));
    const boxes = changed(({ stock }) => ({ stock: stock * 12 }));
    for (const [text, words] of [
      [
        moved,
        'warning change_widespread: erp: name changes in 60 of 60 rows (line 2: A-0: name Article 0 → Article 1).\n',
      ],
      [boxes, 'warning change_widespread: erp: stock changes in 60 of 60 rows (line 2: A-0: stock 1 → 12).\n'],
    ] as const) {
      const told = await type('products', file, '--feed', 'erp', '--dry-run', '--report', 'none', ...written(text));
      expect(told.code).toBe(0);
      expect(told.stderr).toContain(words);
      const { code, stderr } = await rehearsed(text, '--max-changed', '50%');
      expect(stderr).toContain('--max-changed: 60 would change, 100 % of 60');
      expect(code).toBe(8);
    }
  });
});

describe('prices that change by one factor are told where they are many', () => {
  const told: Readonly<Record<string, readonly [change: (row: Goods, i: number) => Partial<Goods>, words: string]>> = {
    'with tax in half of the rows': [
      ({ price }, i) => (i % 2 === 1 ? { price: cents(price * 1.19) } : {}),
      'erp: price changes by the factor 1.19 in 30 of 60 rows (line 3: A-1: price 11.00 → 13.09).',
    ],
    'without tax in a fifth of them, and of others in some': [
      ({ price }, i) => (i % 5 === 0 ? { price: cents(price / 1.19) } : i % 9 === 0 ? { price: price + 1 } : {}),
      'erp: price changes by the factor 0.841 in 12 of 60 rows (line 2: A-0: price 10.00 → 8.40).',
    ],
    'in less than a fifth': [({ price }, i) => (i < 11 ? { price: cents(price * 1.19) } : {}), ''],
    'by a cent': [({ price }, i) => (i % 2 === 0 ? { price: cents(price + 0.01) } : {}), ''],
    'each by another factor': [({ price }, i) => (i % 2 === 0 ? { price: cents(price * (0.8 + i / 150)) } : {}), ''],
  };
  it.each(Object.entries(told))('%s', async (_, [change, words]) => {
    const { code, stderr } = await type(
      ...['products', file, '--feed', 'erp', '--dry-run', '--report', 'none', ...written(changed(change))],
    );
    expect(code).toBe(0);
    expect(stderr.match(/(?<=warning change_widespread: ).*/)?.[0] ?? '').toBe(words);
  });
});

describe('guards that are typed', () => {
  it('a share of refused rows stops before the first write, and names the first twenty', async () => {
    const wrong = changed(({ price }, i) => (i % 2 === 0 ? { stock: 77 } : { price: `${price}x` as never }));
    const { code, stderr } = await night(wrong, '--max-refused', '10%');
    expect(code).toBe(8);
    expect(stderr).toContain(
      '--max-refused: 30 would be refused, 50 % of 60 (limit 10 %)\n    line 3: A-1: field_format\n',
    );
    expect(stderr.match(/field_format/g)).toHaveLength(20);
    expect(stderr).toContain('… and 10 more\n');
    expect((await type('get', 'product', '--sku', 'A-0')).stdout).toContain('"stock": 1,');
  });

  it('a price of 0 that becomes one counts, too, and what was blocked is never the measure of the next night', async () => {
    const typed = (text: string, ...options: string[]) => {
      writeFileSync(file, text);
      return typedHere(['products', file, '--feed', 'free', '--db', join(path, 'free.db'), '--quiet', ...options]);
    };
    expect((await typed(csv(goods.map((row) => ({ ...row, price: 0 }))))).code).toBe(0);
    for (let times = 0; times < 2; times++) {
      const { code, stderr } = await typed(csv(goods.slice(0, 20)));
      expect(code).toBe(8);
      expect(stderr).toContain('--max-missing: 40 are missing, 66.7 % of 60');
      expect(stderr).toContain('--max-price-change: 20 would change in price too much, 33.3 % of 60 (limit 2x:5 %)');
      expect(stderr).toContain('line 2: A-0: price 0.00 → 10.00');
    }
  });

  it.each(['--max-changed', '--max-created', '--max-missing', '--max-price-change'])(
    '%s needs a feed',
    async (guard) => {
      const value = guard === '--max-price-change' ? '2x:1%' : '1%';
      const { code, stderr } = await type('products', file, guard, value, '--dry-run');
      expect([code, stderr]).toEqual([2, expect.stringContaining('Name the feed with --feed')]);
    },
  );

  it('--min-rows and a number of --max-refused work without one', async () => {
    const few = folder({ 'few.csv': csv(goods.slice(0, 3)), 'wrong.csv': csv(goods).replaceAll(',EUR,', ',none,') });
    const run = (name: string, ...options: string[]) =>
      typedHere(['products', join(few, name), '--db', join(few, 'new.db'), ...options]);
    expect((await run('few.csv', '--min-rows', '4')).stderr).toContain('3 rows; at least 4 are expected');
    expect((await run('wrong.csv', '--max-refused', '5')).stderr).toContain('more than 5 items are refused');
  });
});

describe('a share that is met exactly', () => {
  it.each([7, 29, 58, 60])('%d changed rows of 60 pass, and one more does not', async (rows) => {
    const share = `${Math.ceil((rows / count) * 100_000) / 1000}%`;
    const text = (changes: number) => changed(({ stock }, i) => (i < changes ? { stock: stock + 1 } : {}));
    expect((await rehearsed(text(rows), '--max-changed', share)).code).toBe(0);
    if (rows < count) expect((await rehearsed(text(rows + 1), '--max-changed', share)).code).toBe(8);
  });

  it('is none more than typed, and a price that grows by just the factor counts', () => {
    const breaches = (rows: number) => {
      const figures = noFigures('product');
      Object.assign(figures.found.get('changed') ?? {}, { count: rows });
      const explicit = new Set(['--max-changed']);
      return judgeFigures(figures, { maxChanged: 0.29 }, { last: { rows: 100 }, explicit }).filter(isBreach);
    };
    expect(breaches(29)).toEqual([]);
    expect(breaches(30)).toHaveLength(1);
    const observer = guardFigures({
      price: { factor: 3, share: 0 },
      takenBack: new Set(),
      suspended: new Set(),
      comparesStored: false,
    });
    const line = (id: string, from: string, to: string) => ({
      ...{ index: 0, external_id: id, id, code: null, title: null, reason: null, notice: [] },
      ...{ action: 'updated' as const, changes: [{ field: 'price', from, to }] },
    });
    const data = [
      ...[line('A', '0.10', '0.30'), line('B', '0.30', '0.10')],
      ...[line('C', '0.10', '0.29'), line('D', '1.10', '3.30')],
    ];
    observer.begin?.({ resource: resourceCalled('products') } as never);
    const report = { object: 'list' as const, resource: 'product', dry_run: true, data, ...noCounts(), total: 4 };
    observer.batch?.({ report, lines: [2, 3, 4, 5], offset: 0 });
    expect(observer.figures().get('product')?.found.get('price_changed')?.count).toBe(3);
  });
});

describe('a file with keys that it has twice', () => {
  it('passes the guards on its second night: every record ends as it was', async () => {
    const twice = (price: (price: number) => number) =>
      csv(goods.flatMap((row) => [{ ...row, price: price(row.price), stock: 0 }, row]));
    const other = join(path, 'twice.db');
    const typed = (text: string) => {
      writeFileSync(file, text);
      return typedHere(['products', file, '--feed', 'twice', '--quiet', '--max-changed', '5%', '--db', other]);
    };
    expect((await typed(twice((price) => 3 * price))).code).toBe(0);
    expect((await typed(twice((price) => 3 * price))).code).toBe(0);
    // What is left in the end counts, once for each record.
    const { code, stderr } = await typed(csv(goods.flatMap((row) => [row, { ...row, price: 3 * row.price }])));
    expect([code, stderr]).toEqual([8, expect.stringContaining('60 would change in price too much, 50 % of 120')]);
  });
});

describe('a column that is gone on purpose', () => {
  it('is accepted by applying the plan of the blocked night, and is what the next nights are held against', async () => {
    const rest = csv(
      goods.map(({ description: _, ...row }) => row),
      'sku,name,currency,price,stock,status,badge',
    );
    const { code, stderr } = await night(rest);
    expect(code).toBe(8);
    const [, plan = ''] = /apply (\S+\.plan)/.exec(stderr) ?? [];
    expect((await type('apply', plan, '--quiet')).code).toBe(0);
    expect(await night(rest)).toMatchObject({ code: 0, stderr: '' });
    const again = await night(rest.replaceAll(',badge\n', ',badge,note\n').replaceAll(/(activated,\w*)\n/g, '$1,x\n'));
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect((await night(rest)).stderr).toContain('note: 60 values fewer');
    // --max-missing off is the other way, which counts as an accepted night, too.
    expect((await night(rest, '--max-missing', 'off')).code).toBe(0);
    expect((await night(rest)).code).toBe(0);
  });
});

describe('keys that the feed writes in another form', () => {
  const padded = csv(goods.map((row, i) => ({ ...row, sku: String(i + 1).padStart(8, '0') })));
  const rewritten = (keyOf: (i: number) => string, upTo = count) =>
    csv(goods.map((row, i) => ({ ...row, sku: i < upTo ? keyOf(i) : String(i + 1).padStart(8, '0') })));
  const other = (text: string, ...options: string[]) => {
    writeFileSync(file, text);
    return type('products', file, '--feed', 'padded', '--report', 'none', ...options);
  };
  beforeAll(async () => {
    expect((await other(padded)).code).toBe(0);
  });

  const forms: Readonly<Record<string, readonly [keyOf: (i: number) => string, example: string]>> = {
    'without their leading zeros': [(i) => String(i + 1), '1 was 00000001'],
    'as decimals': [(i) => `${i + 1}.0`, '1.0 was 00000001'],
    'in groups': [(i) => `0000-${String(i + 1).padStart(4, '0')}`, '0000-0001 was 00000001'],
  };
  it.each(Object.entries(forms))('%s are named with the guards that stop them', async (_, [keyOf, example]) => {
    const { code, stderr } = await other(rewritten(keyOf), '--dry-run');
    expect(code).toBe(8);
    expect(stderr).toContain(
      `--max-missing: 60 are missing, 100 % of 60 (limit 20 %); 60 are known keys in another form: ${example}\n`,
    );
    expect(stderr).toContain(
      `--max-created: 60 would be created, 100 % of 60 (limit 20 %); 60 are known keys in another form: ${example}\n`,
    );
  });

  it('are named where the guards let them through, and keys of other records are not', async () => {
    const few = await other(
      rewritten((i) => String(i + 1), 1),
      '--dry-run',
    );
    expect(few.code).toBe(0);
    expect(few.stderr).toContain('warning keys_rewritten: padded: 1 is a known key in another form: 1 was 00000001.\n');
    expect(few.stderr).toContain('padded: within its guards (');
    const others = await other(
      rewritten((i) => String(i + 1000)),
      '--dry-run',
    );
    expect(others.code).toBe(8);
    expect(others.stderr).not.toContain('another form');
  });
});

it('a file that is cut off within its last row suspends nobody, however few rows it lacks', async () => {
  const cut = (text: string, ...options: string[]) => {
    writeFileSync(file, text);
    const target = ['--feed', 'cut', '--db', join(path, 'cut.db'), '--missing', 'suspend'];
    return typedHere(['products', file, ...target, '--report', 'none', ...options]);
  };
  expect((await cut(csv(goods))).code).toBe(0);
  const part = csv(goods.slice(0, 57));
  const torn = await cut(part.slice(0, part.indexOf(',EUR', part.lastIndexOf('A-56'))));
  expect(torn.code).toBe(3);
  expect(torn.stderr).toContain(
    'cut: 1 row has no key that can be trusted, or lacks its end; no record counts as missing.\n',
  );
  expect(torn.stderr).not.toContain('suspended');
  const whole = await cut(part);
  expect(whole.stderr).toContain('cut: 3 suspended: A-57, A-58, A-59\n');
  expect((await cut(csv(goods), '--quiet')).code).toBe(0);
});

it('the guards of a folder name the file and the line of an offender', async () => {
  const shop = join(path, 'shop');
  mkdirSync(shop);
  const typed = (...args: string[]) => typedHere([...args, '--db', join(path, 'folder.db')]);
  const nights = (price: number) => {
    const part = (from: number) => csv(goods.slice(from, from + 30).map((row) => ({ ...row, price })));
    writeFileSync(join(shop, 'products.1.csv'), part(0));
    writeFileSync(join(shop, 'products.2.csv'), part(30));
    return ['run', shop, '--feed', 'folder'];
  };
  expect((await typed(...nights(20), '--quiet')).code).toBe(0);
  const night200 = nights(200);
  for (const { code, stderr } of [
    await typed(...night200),
    await typed('plan', ...night200, '--out', join(path, 'n.plan')),
  ]) {
    expect(code).toBe(8);
    expect(stderr).toContain(`    ${join(shop, 'products.1.csv')}:2: A-0: price 20.00 → 200.00\n`);
  }
  writeFileSync(join(shop, 'products.1.csv'), csv(goods.slice(0, 30).map((row) => ({ ...row, price: 20 }))));
  expect((await typed(...night200)).stderr).toContain(`    ${join(shop, 'products.2.csv')}:2: A-30: price `);
});
