// Several feeds and one SKU, on each kind of store: what passes on from a lower feed to a record that a higher one drops, and
// which items another feed wrote last.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { folder, typedHere } from './typed.js';

interface Feeds {
  readonly path: string;
  run(...args: string[]): ReturnType<typeof typedHere>;
  /** Writes a file of these lines, and imports it as a night of the feed. */
  night(feed: string, file: string, lines: readonly string[], ...options: string[]): ReturnType<typeof typedHere>;
  product(sku: string): Promise<Record<string, unknown>>;
}

let database: TestDatabase | undefined;
let catalogs = 0;
afterAll(() => database?.close());

function feedsIn(path: string, db: string): Feeds {
  const run = (...args: string[]) => typedHere([...args, '--db', db]);
  return {
    path,
    run,
    night(feed, file, lines, ...options) {
      writeFileSync(join(path, file), `${lines.join('\n')}\n`);
      return run('products', join(path, file), '--feed', feed, '--report', 'none', ...options);
    },
    async product(sku) {
      return JSON.parse((await run('get', 'product', '--sku', sku)).stdout);
    },
  };
}

const stores: Readonly<Record<string, () => Promise<Feeds>>> = {
  'in a file': async () => {
    const path = folder();
    return feedsIn(path, join(path, 'shop.db'));
  },
  ...(missing === undefined && {
    'in PostgreSQL': async () => {
      database ??= await newTestDatabase();
      return feedsIn(folder(), database.address(`passed_on_${++catalogs}`));
    },
  }),
};

/** Products, or fewer, with one price. */
function goods(count: number, price: number, more = ''): string[] {
  const rows = Array.from({ length: count }, (_, i) => `A-${String(i + 1).padStart(2, '0')},EUR,${price}${more}`);
  return [`sku,currency,price${more === '' ? '' : ',status'}`, ...rows];
}

describe.each(Object.entries(stores))('what passes on to records that a feed drops %s', (_, open) => {
  /** A lower feed sends other prices, which do not apply as long as the higher one lists the products. */
  async function ranked(lower: readonly string[]): Promise<Feeds> {
    const feeds = await open();
    await feeds.run('feeds', 'set', 'lo', '--below', 'hi');
    await feeds.night('hi', 'hi.csv', goods(50, 10, ',activated'), '--quiet');
    await feeds.night('lo', 'lo.csv', lower, '--quiet');
    return feeds;
  }

  it('is counted by the guards before the first write, in a dry run and a plan alike', async () => {
    const feeds = await ranked(goods(50, 1000));
    const guards = ['--max-price-change', '2x:5%', '--max-changed', '5%'];
    const fewer = goods(41, 10, ',activated');
    const products = ['products', join(feeds.path, 'hi41.csv')];
    const stopped = [
      await feeds.night('hi', 'hi41.csv', fewer, ...guards, '--dry-run'),
      await feeds.night('hi', 'hi41.csv', fewer, ...guards),
      await feeds.run('plan', ...products, '--feed', 'hi', '--out', join(feeds.path, 'night.plan'), ...guards),
    ];
    for (const { code, stderr } of stopped) {
      expect(code).toBe(8);
      expect(stderr).toContain('--max-changed: 9 would change, 18 % of 50 (limit 5 %)');
      expect(stderr).toContain(
        '--max-price-change: 9 would change in price too much, 18 % of 50 (limit 2x:5 %)\n' +
          '    no longer listed: A-42: price 10.00 → 1000.00\n',
      );
    }
    expect(await feeds.product('A-50')).toMatchObject({ price: '10.00' });
    const passed = await feeds.night('hi', 'hi41.csv', fewer, '--max-price-change', '2x:20%');
    expect(passed.stderr).toContain('hi: 9 records no longer listed; what lower feeds send of them applies now: ');
    expect(await feeds.product('A-50')).toMatchObject({ price: '1000.00' });
  });

  it('is stopped by the guards that a feed has by default, also where it hides records', async () => {
    const feeds = await ranked(goods(50, 1000, ',draft'));
    const rest = goods(20, 10, ',activated');
    const { code, stderr } = await feeds.night('hi', 'hi20.csv', rest);
    expect(code).toBe(8);
    expect(stderr).toContain('--max-missing: 30 would no longer be shown, 60 % of 50 (limit 20 %)');
    expect(stderr).toContain('--max-price-change: 30 would change in price too much');
  });

  it('is not counted where nothing passes on: without history, and of a part of the file', async () => {
    const feeds = await ranked(goods(50, 1000));
    for (const options of [['--no-history'], ['--limit', '41']]) {
      const off = ['--max-missing', 'off', '--max-changed', '5%'];
      expect(await feeds.night('hi', 'hi41.csv', goods(41, 10, ',activated'), ...off, ...options)).toMatchObject({
        code: 0,
      });
      expect(await feeds.product('A-50')).toMatchObject({ price: '10.00' });
    }
  });

  it('is what the feed sent before when the run that sent it is undone', async () => {
    const feeds = await ranked(goods(50, 20));
    await feeds.night('lo', 'lo.csv', goods(50, 1000), '--quiet');
    await feeds.night('hi', 'hi41.csv', goods(41, 10, ',activated'), '--quiet', '--max-price-change', 'off');
    const restored = '9 items: 9 restored, 0 suspended, 0 kept\n';
    expect((await feeds.run('undo', '3', '--dry-run')).stdout).toBe(`Dry run: ${restored}`);
    expect((await feeds.run('undo', '3')).stdout).toBe(restored);
    expect(await feeds.product('A-50')).toMatchObject({ price: '20.00' });
    expect((await feeds.run('undo', '4')).stdout).toBe('9 items: 9 restored, 0 suspended, 0 kept\n');
    expect(await feeds.product('A-50')).toMatchObject({ price: '10.00' });
  });

  it('is not what the run offered as it was already', async () => {
    const feeds = await ranked(goods(50, 10));
    // Nothing was passed on: the higher feed had set the same values before.
    expect((await feeds.run('undo', '2')).stdout).toBe(
      '0 items: 0 restored, 0 suspended, 0 kept. Run 2 changed nothing.\n',
    );
  });

  it('is explained by the feed, the file, the line and the run that sent it', async () => {
    const feeds = await ranked(goods(50, 1000));
    await feeds.night('hi', 'hi41.csv', goods(41, 10, ',activated'), '--quiet', '--max-price-change', 'off');
    // What the lower feed sends later does not change where the value came from.
    await feeds.night('lo', 'lo.csv', goods(50, 2000), '--quiet', '--max-price-change', 'off');
    const why = await feeds.run('why', 'product', '--sku', 'A-50', '--field', 'price');
    expect(why.stdout.replaceAll(/\S*\//g, '').split('\n')).toEqual([
      expect.stringMatching(/^day +value +run +feed +line +before$/),
      expect.stringMatching(/2000.00 {2}4 {4}lo {4}lo.csv:51$/),
      expect.stringMatching(/1000.00 {2}3 {4}hi {4}\(no longer listed\), from lo \(run 2, lo.csv:51\) {2}10.00$/),
      expect.stringMatching(/created {2}1 {4}hi {4}hi.csv:51$/),
      '',
    ]);
    // An emptied cell passes a value on, too; a value that the feed sends itself is its own.
    const emptied = goods(41, 10, ',activated').map((row) =>
      row.replace('A-01,EUR,10', 'A-01,,').replace(',10,', ',11,'),
    );
    await feeds.night('hi', 'hie.csv', emptied, '--quiet', '--max-price-change', 'off');
    const json = async (sku: string) =>
      JSON.parse((await feeds.run('why', 'product', '--sku', sku, '--field', 'price', '--output', 'json')).stdout)[0];
    expect(await json('A-01')).toMatchObject({
      ...{ value: '2000.00', run: 5, feed: 'hi', line: 2 },
      from: { feed: 'lo', run: 4, line: 2, file: expect.stringMatching(/lo.csv$/) },
    });
    expect(await json('A-02')).toMatchObject({ value: '11.00', run: 5, feed: 'hi', line: 3 });
    expect(await json('A-02')).not.toHaveProperty('from');
  });
});

describe.each(Object.entries(stores))('items that another feed wrote last %s', (_, open) => {
  const full = (price: number, stock = 1): string[] => [
    'sku,currency,price,stock',
    `A,EUR,${price},${stock}`,
    'B,EUR,20,2',
  ];
  const lastWritten = ({ stderr }: { stderr: string }): readonly string[] | null =>
    stderr.match(/\d+ items? (was|were) last written by \w+/g);

  it('is not said of a feed that changed nothing since, or that sends other fields', async () => {
    const feeds = await open();
    await feeds.night('e', 'e.csv', full(10), '--quiet');
    await feeds.night('v', 'v.csv', full(11), '--quiet');
    expect(lastWritten(await feeds.night('e', 'e.csv', full(11)))).toEqual(['2 items were last written by v']);
    await feeds.night('v', 'v.csv', full(11), '--quiet');
    expect(lastWritten(await feeds.night('e', 'e.csv', full(12)))).toBeNull();
    const weights = ['sku,currency,weight', 'A,EUR,2', 'B,EUR,3'];
    expect(lastWritten(await feeds.night('w', 'w.csv', weights))).toBeNull();
    expect(lastWritten(await feeds.night('e', 'e.csv', full(13)))).toBeNull();
  });

  it('is not said where a feed owns every field that both send', async () => {
    const feeds = await open();
    await feeds.run('feeds', 'set', 'w', '--own', 'price');
    await feeds.night('e', 'e.csv', full(10), '--quiet');
    expect(lastWritten(await feeds.night('w', 'w.csv', ['sku,price', 'A,77']))).toBeNull();
    const owned = await feeds.night('e', 'e.csv', full(50));
    expect(lastWritten(owned)).toBeNull();
    expect(await feeds.product('A')).toMatchObject({ price: '77.00' });
    // Of one item both send the stock, too, which nobody owns: there the last one wins.
    await feeds.night('w', 'w.csv', ['sku,price,stock', 'A,77,5', 'B,30,'], '--quiet', '--max-created', 'off');
    const unowned = await feeds.night('e', 'e.csv', full(50, 8));
    expect(lastWritten(unowned)).toEqual(['1 item was last written by w']);
    expect(await feeds.product('A')).toMatchObject({ price: '77.00', stock: 8 });
  });

  it('is not said by the owner, whatever the other sent before it was ranked', async () => {
    const feeds = await open();
    await feeds.night('e', 'e.csv', full(10), '--quiet');
    await feeds.run('feeds', 'set', 'w', '--own', 'price');
    expect(lastWritten(await feeds.night('w', 'w.csv', ['sku,price', 'A,77']))).toBeNull();
    await feeds.night('v', 'v.csv', full(12, 3), '--quiet');
    expect(lastWritten(await feeds.night('x', 'x.csv', ['sku,stock', 'A,4']))).toEqual([
      '1 item was last written by e',
      '1 item was last written by v',
    ]);
  });

  it('is not said where a third feed owns the field, and said as long as it is not known what a feed sends', async () => {
    const feeds = await open();
    await feeds.night('e', 'e.csv', full(10), '--quiet');
    await feeds.night('w', 'w.csv', ['sku,price', 'A,11'], '--quiet');
    await feeds.run('feeds', 'set', 'house', '--own', 'price');
    expect(lastWritten(await feeds.night('e', 'e.csv', full(12)))).toEqual(['1 item was last written by w']);
    await feeds.night('w', 'w.csv', ['sku,price', 'A,11'], '--quiet');
    expect(lastWritten(await feeds.night('e', 'e.csv', full(13)))).toEqual(['1 item was last written by w']);
    await feeds.night('house', 'house.csv', ['sku,price', 'A,99'], '--quiet');
    await feeds.night('w', 'w.csv', ['sku,price', 'A,11'], '--quiet');
    expect(lastWritten(await feeds.night('e', 'e.csv', full(14)))).toBeNull();
    expect(await feeds.product('A')).toMatchObject({ price: '99.00' });
  });
});
