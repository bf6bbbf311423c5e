// For each warning about what a run does, the command that notices it, after what has to be before.
import { mkdirSync } from 'node:fs';
import { givenFeedServer } from '../../http/source/feed-server.js';
import { openRaw } from '../../proof/dump.js';
import { off, rows, type Shop } from './shop.js';

/** By code: prepares the shop, and returns what is typed then. */
export type Noticed = Readonly<Record<string, (it: Shop) => Promise<string[]>>>;

export const noticedInRuns = {
  first_run: async (it) => ['products', it.write('f.csv', rows(3)), '--feed', 'erp'],
  file_repeated: (it) => it.night(rows(3)),
  change_widespread: async (it) => {
    await it.night(rows(60, ',note', () => ',old'));
    return [
      'products',
      it.write(
        'f.csv',
        rows(60, ',note', () => ',new'),
      ),
      '--feed',
      'erp',
    ];
  },
  keys_rewritten: async (it) => {
    await it.night(rows(60));
    const without = rows(60).replaceAll(/^00(\d)/gm, '$1');
    return ['products', it.write('f.csv', without), '--feed', 'erp', ...off];
  },
  column_vanished: async (it) => {
    await it.night(rows(20, ',note', () => ',x'));
    return ['products', it.write('f.csv', rows(20)), '--feed', 'erp', ...off];
  },
  records_missing: async (it) => {
    await it.night(rows(20));
    return ['products', it.write('f.csv', rows(19)), '--feed', 'erp'];
  },
  records_suspended: async (it) => {
    await it.night(rows(20), '--set', 'status=activated');
    return ['products', it.write('f.csv', rows(19)), '--feed', 'erp', '--missing', 'suspend'];
  },
  records_passed_on: async (it) => {
    await it.run('feeds', 'set', 'low', '--below', 'erp');
    await it.run('products', it.write('low.csv', rows(20).replaceAll(',10', ',9')), '--feed', 'low', '--quiet');
    await it.night(rows(20));
    return ['products', it.write('f.csv', rows(19)), '--feed', 'erp'];
  },
  items_left_out: async (it) => ['products', it.write('f.csv', rows(3)), '--only', 'update'],
  no_rows: async (it) => {
    await it.night(rows(3));
    return ['products', it.write('f.csv', rows(0)), '--feed', 'erp', '--min-rows', 'off'];
  },
  no_records: async (it) => ['products', it.write('f.csv', rows(0))],
  part_read: async (it) => [...(await it.night(rows(3))), '--limit', '1'],
  keys_untrusted: async (it) => {
    await it.night(rows(20));
    return ['products', it.write('f.csv', `${rows(20)},EUR,1\n`), '--feed', 'erp'];
  },
  higher_feed_silent: async (it) => {
    await it.run('products', it.write('b.csv', rows(3)), '--feed', 'high', '--quiet');
    await it.run('feeds', 'set', 'erp', '--below', 'high');
    return ['products', it.write('f.csv', rows(4)), '--feed', 'erp'];
  },
  lower_feed_silent: async (it) => {
    await it.run('products', it.write('b.csv', rows(3)), '--feed', 'low', '--quiet');
    await it.run('feeds', 'set', 'low', '--below', 'erp');
    return ['products', it.write('f.csv', rows(4)), '--feed', 'erp'];
  },
  written_by_other_feed: async (it) => {
    await it.night(rows(3));
    await it.run('products', it.write('b.csv', rows(3).replaceAll(',10', ',9')), '--feed', 'other', '--quiet');
    return ['products', it.at('f.csv'), '--feed', 'erp', '--max-price-change', 'off'];
  },
  columns_ignored: async (it) => [
    'products',
    it.write(
      'f.csv',
      rows(3, ',colour of the box', () => ',red'),
    ),
  ],
  keys_repeated: async (it) => ['products', it.write('f.csv', `${rows(3)}000,EUR,5\n`), '--on-duplicate', 'keep-last'],
  column_absent: async (it) => {
    const fields = 'fields: { sku: sku, currency: currency, note: { column: remark, optional: true } }';
    return ['products', it.write('f.csv', rows(3)), '--map', it.write('m.yaml', `to: products\n${fields}\n`)];
  },
  column_as_text: async (it) => {
    const fields = 'fields: { sku: sku, currency: currency, name: { value: note } }';
    const file = it.write(
      'f.csv',
      rows(3, ',note', () => ',x'),
    );
    return ['products', file, '--map', it.write('m.yaml', `to: products\n${fields}\n`)];
  },
  file_absent: async (it) => {
    mkdirSync(it.at('in'));
    it.write('in/products.csv', rows(3));
    it.write('in/categories.csv', 'name\nLamps\n');
    await it.run('run', it.at('in'), '--feed', 'erp', '--quiet');
    mkdirSync(it.at('in2'));
    it.write('in2/products.csv', rows(4));
    return ['run', it.at('in2'), '--feed', 'erp'];
  },
  expectation_missed: async (it) => {
    return ['products', it.write('f.csv', rows(3)), '--expect', '{warn: {price: {between: [1, 9]}}}'];
  },
  no_row_accepted: async (it) => {
    await it.night(rows(3));
    const wrong = rows(3).replaceAll('EUR', 'XXQ');
    return ['products', it.write('f.csv', wrong), '--feed', 'erp', ...off, '--max-refused', 'off'];
  },
  source_not_modified: async (it) => {
    const server = await givenFeedServer(({ headers }, answer) => {
      if (headers['if-none-match'] === '"1"') answer.writeHead(304, { etag: '"1"' }).end();
      else answer.writeHead(200, { 'content-type': 'text/csv', etag: '"1"' }).end(rows(3));
    });
    const typed = ['products', `${server.url}/f.csv`, '--feed', 'erp'];
    await it.run(...typed, '--quiet');
    return typed;
  },
  history_forgotten: async (it) => {
    await it.run('products', it.write('f.csv', rows(3)), '--quiet');
    const typed = await it.night(rows(4));
    age(it, 'created_at', 100, 1);
    return typed;
  },
  clock_jumped: async (it) => {
    const typed = await it.night(rows(3));
    for (const column of ['created_at', 'ended_at']) age(it, column, -2, 1);
    return typed;
  },
  fields_kept: async (it) => {
    await it.night(rows(3));
    for (const price of ['11', '12']) await it.night(rows(3).replaceAll(',10', `,${price}`));
    return ['undo', '2'];
  },
  plan_outdated: async (it) => {
    await it.night(rows(60));
    const cheap = rows(60).replaceAll(',10', ',1');
    await it.night(cheap);
    await it.night(rows(60).replaceAll(',10', ',11'));
    return ['apply', it.at('blocked-2.plan')];
  },
  listing_not_kept: async (it) => [...(await it.night(rows(3))), '--no-history'],
  on_end_failed: async (it) => [...(await it.night(rows(3))), '--on-end', 'exit 4'],
} as const satisfies Noticed;

/** Makes a run older, by days. */
function age(it: Shop, column: string, days: number, run: number): void {
  const database = openRaw(it.at('shop.db'));
  database.exec(`UPDATE run SET ${column} = ${column} - 86400 * ${days} WHERE id + 0 = ${run}`);
  database.close();
}
