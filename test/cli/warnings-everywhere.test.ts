// Each warning in each place where the person on call looks for it: terminal, every form of report, the page, `runs show`, the status
// file, `explain`, and the exit code with --fail-on.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WarningCode } from '../../src/core/diagnostics/warning-codes.js';
import { typedAsProcess } from './started.js';
import { folder, typedHere } from './typed.js';

/** A shop, and what its jobs type. */
interface Shop {
  at(name: string): string;
  write(name: string, text: string): string;
  run(...args: string[]): ReturnType<typeof typedHere>;
  /** The same in a process, which has the parts of a page. */
  process(...args: string[]): ReturnType<typeof typedAsProcess>;
  /** Types the night of a feed that reads this text, and expects nothing of it. */
  night(text: string, ...args: string[]): Promise<string[]>;
}

function shop(): Shop {
  const path = folder();
  const at = (name: string) => join(path, name);
  const write = (name: string, text: string): string => {
    writeFileSync(at(name), text);
    return at(name);
  };
  const run = (...args: string[]) => typedHere([...args, '--db', at('shop.db')]);
  return {
    ...{ at, write, run },
    process: (...args) => typedAsProcess(path, [...args, '--db', at('shop.db')]),
    async night(text, ...args) {
      const typed = ['products', write('f.csv', text), '--feed', 'erp', ...args];
      await run(...typed, '--quiet');
      return typed;
    },
  };
}

const off = ['--max-created', 'off', '--max-missing', 'off'];
const rows = (count: number, head = '', cell: (i: number) => string = () => ''): string =>
  `sku,currency,price${head}\n${Array.from({ length: count }, (_, i) => `00${i},EUR,10${cell(i)}\n`).join('')}`;

/** For each warning the command that notices it, after what has to be before. */
const noticed: Readonly<Partial<Record<WarningCode, (it: Shop) => Promise<string[]>>>> = {
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
};

describe.each(Object.entries(noticed))('the warning %s', (code, command) => {
  it('is told in every place', async () => {
    const here = shop();
    const args = await command(here);
    const forms = ['ndjson', 'json', 'csv', 'html'].map((form) => here.at(`r.${form}`));
    const [ndjson = '', json = '', csv = '', page = ''] = forms;
    const written = [...forms.flatMap((file) => ['--report-file', file]), '--status-file', here.at('s.prom')];
    const { code: exit, stderr } = await here.process(...args, ...written, '--fail-on', code, '--quiet');
    expect([exit, stderr]).toEqual([3, expect.stringMatching(new RegExp(`^(warning|note) ${code}: `, 'm'))]);
    const read = (file: string): string => readFileSync(file, 'utf8');
    const ofCode = expect.arrayContaining([
      expect.objectContaining({ code, message: expect.stringMatching(/./), params: expect.any(Object) }),
    ]);
    expect(JSON.parse(read(ndjson).trim().split('\n').at(-1) ?? '').warnings).toEqual(ofCode);
    expect(JSON.parse(read(json)).response.warnings).toEqual(ofCode);
    expect(read(csv)).toMatch(new RegExp(`,warning,.*${code},`));
    expect(read(page)).toContain(`<code>${code}</code>`);
    expect(read(here.at('s.prom'))).toMatch(
      new RegExp(`^catalog_import_warnings\\{feed="[^"]*",code="${code}"\\} [1-9]`, 'm'),
    );
    const runs = JSON.parse((await here.run('runs', '--output', 'json')).stdout);
    const { run, warnings } = runs.at(-1);
    expect(warnings).toEqual(ofCode);
    expect((await here.run('runs', 'show', String(run))).stdout).toMatch(
      new RegExp(`^noticed +(warning|note) ${code}: `, 'm'),
    );
    expect((await typedHere(['explain', code])).stdout).toContain('A warning about the run as a whole.');
  });
});
