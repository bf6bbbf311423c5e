// Plans as they are typed: an import rehearsed into a file, looked at, and applied to records that are as they were.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Line } from '../../src/core/import-report.js';
import { isFull } from '../tier.js';
import { outcome, start, typedAsProcess } from './started.js';
import { folder, typed, typedHere } from './typed.js';

const header = 'sku,name,currency,price,stock\n';

interface Shop {
  readonly path: string;
  /** Types a command about the catalog. */
  readonly run: (...args: string[]) => ReturnType<typeof typedHere>;
  /** Writes a file of products. */
  readonly file: (name: string, rows: readonly string[]) => string;
  /** The prices of products by their SKUs. */
  readonly prices: () => Promise<Record<string, unknown>>;
}

function shop(): Shop {
  const path = folder();
  const run: Shop['run'] = (...args) => typedHere([...args, '--db', join(path, 'shop.db')]);
  return {
    path,
    run,
    file(name, rows) {
      writeFileSync(join(path, name), header + rows.map((row) => `${row}\n`).join(''));
      return join(path, name);
    },
    async prices() {
      const { stdout } = await run('list', 'products', '--output', 'ndjson');
      const records = stdout
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line));
      return Object.fromEntries(records.map(({ sku, price }) => [sku, price]));
    },
  };
}

const row = (sku: string, price: string | number, name = sku): string => `${sku},${name},EUR,${price},1`;
const first = ['A', 'B', 'C', 'D'].map((sku) => row(sku, 10));
const second = [row('A', 11), row('B', 12), row('C', 10), row('D', 14), row('E', 5), 'F,,EUR,cheap,1'];

/** A shop with a plan of its second night. */
async function planned(...options: string[]): Promise<Shop & { readonly plan: string }> {
  const it = shop();
  await it.run('products', it.file('a.csv', first), '-q', ...options);
  const plan = join(it.path, 'night.plan');
  const made = await it.run('plan', 'products', it.file('b.csv', second), '--out', plan, ...options);
  expect(made.code, made.stderr).toBe(3);
  expect(made.stderr).toContain(`${plan}: a plan of 4 items that would change something.`);
  return { ...it, plan };
}

/** The numbers of a JSON report. */
function counts({ stdout }: { readonly stdout: string }) {
  const { created, updated, unchanged, refused, total } = JSON.parse(stdout).response;
  return { created, updated, unchanged, refused, total };
}

describe('plan', () => {
  it('writes only the plan, readable by its owner alone, also where it replaces a file', async () => {
    const { prices, plan, path, run } = await planned();
    expect(await prices()).toEqual({ A: '10.00', B: '10.00', C: '10.00', D: '10.00' });
    expect(statSync(plan).mode & 0o777).toBe(0o600);
    const open = join(path, 'open.plan');
    writeFileSync(open, '', { mode: 0o644 });
    await run('plan', join(path, 'b.csv').replace(/b\.csv$/, 'b.csv'), '--out', open);
    expect((await run('plan', 'products', join(path, 'b.csv'), '--out', open, '-q')).code).toBe(3);
    expect(statSync(open).mode & 0o777).toBe(0o600);
  });

  it('replaces a plan and says so, overwrites no other file, and offers no apply where nothing would change', async () => {
    const it = shop();
    const feed = it.file('products.csv', first);
    const out = join(it.path, 'p.plan');
    expect((await it.run('plan', feed, '--out', out)).stderr).not.toContain('replaced');
    expect((await it.run('plan', feed, '--out', out)).stderr).toMatch(/imports it\. It replaced the plan of \d{4}-/);
    const notes = join(it.path, 'notes.txt');
    writeFileSync(notes, 'mine');
    const other = await it.run('plan', feed, '--out', notes);
    expect([other.code, readFileSync(notes, 'utf8')]).toEqual([2, 'mine']);
    expect(other.stderr).toContain('is not a plan, and is not overwritten');
    await it.run('products', feed);
    const none = await it.run('plan', feed, '--out', join(it.path, 'none.plan'));
    expect(none.stderr).toContain('a plan without items: the import would change no record.');
    expect(none.stderr).not.toContain('apply');
  });

  it('takes the resource from the name of the file, and names what to type where that has none', async () => {
    const it = shop();
    const named = it.file('products.csv', first);
    expect((await it.run('plan', named, '--out', join(it.path, 'p.plan'))).code).toBe(0);
    const other = await it.run('plan', it.file('feed.csv', first), '--out', join(it.path, 'q.plan'));
    expect(other).toMatchObject({ code: 2 });
    expect(other.stderr).toContain('catalog-import plan products');
    expect(existsSync(join(it.path, 'q.plan'))).toBe(false);
    expect((await it.run('plan', 'products', named)).stderr).toContain('Name the file of the plan with --out');
    expect((await it.run('plan', 'products', named, '--out', named)).code).toBe(2);
    expect(readFileSync(named, 'utf8')).toContain(header);
  });

  it('leaves no plan where the file cannot be read to its end', async () => {
    const it = shop();
    const broken = join(it.path, 'products.json');
    writeFileSync(broken, '[{"sku":"A","currency":"EUR"},{"sku":');
    const out = join(it.path, 'p.plan');
    expect((await it.run('plan', 'products', broken, '--out', out)).code).toBe(5);
    expect(existsSync(out)).toBe(false);
  });

  it('that is killed leaves no plan, and its temporary file is removed by the next one', async () => {
    const path = folder();
    writeFileSync(
      join(path, 'products.csv'),
      header + Array.from({ length: 500 }, (_, i) => `${row(`S${i}`, i)}\n`).join(''),
    );
    const args = ['plan', 'products.csv', '--out', 'p.plan', '--db', 'shop.db', '-q'];
    const killed = await outcome(start(path, args, { CATALOG_FAILPOINT: 'while-saving:3' }));
    expect(killed.signal).toBe('SIGKILL');
    expect(existsSync(join(path, 'p.plan'))).toBe(false);
    expect((await typed(path, args)).code).toBe(0);
    expect(readdirSync(path).sort()).toEqual(['p.plan', 'products.csv']);
  });

  it('shows what would change in every form, without a catalog', async () => {
    const { plan, path, run } = await planned();
    renameSync(join(path, 'shop.db'), join(path, 'away.db'));
    const table = await typedHere(['plan', 'show', plan]);
    expect(table).toMatchObject({ code: 0, stderr: '' });
    expect(table.stdout).toContain('6 items: 1 created, 3 updated, 1 unchanged, 1 refused');
    expect(table.stdout).toContain('price "10.00" → "11.00"');
    const lines = (await typedHere(['plan', 'show', plan, '--output', 'ndjson'])).stdout.trim().split('\n');
    const told = lines.map((line) => JSON.parse(line)).filter(({ action }) => action !== undefined);
    expect(told.map(({ external_id: key, action, line }) => [key, action, line])).toEqual([
      ['A', 'updated', 2],
      ['B', 'updated', 3],
      ['D', 'updated', 5],
      ['E', 'created', 6],
      ['F', 'refused', 7],
    ]);
    expect(told[3].changes).toContainEqual({ field: 'price', from: null, to: '5' });
    const json = await typedHere(['plan', 'show', plan, '--output', 'json']);
    expect(counts(json)).toEqual({ created: 1, updated: 3, unchanged: 1, refused: 1, total: 6 });
    const page = await typedAsProcess(path, ['plan', 'show', plan, '--output', 'html']);
    expect(page.stdout).toMatch(/^<!doctype html>/i);
    expect(page.stdout).toContain('11.00');
    expect((await run('info')).code).toBe(7);
  });
});

describe('apply', () => {
  it('imports what was planned without the file, as a run that records file, line and digest', async () => {
    const { plan, path, run, prices } = await planned();
    renameSync(join(path, 'b.csv'), join(path, 'away.csv'));
    const applied = await run('apply', plan, '--output', 'json');
    expect(applied.code).toBe(0);
    expect(counts(applied)).toEqual({ created: 1, updated: 3, unchanged: 0, refused: 0, total: 4 });
    expect(await prices()).toEqual({ A: '11.00', B: '12.00', C: '10.00', D: '14.00', E: '5.00' });
    const [, one] = JSON.parse((await run('runs', '--output', 'json')).stdout);
    expect(one).toMatchObject({ run: 2, command: 'apply', file: join(path, 'b.csv'), created: 1, updated: 3 });
    expect(one.files[0].digest).toMatch(/^[\w-]{43}$/);
    expect((await run('why', 'product', '--sku', 'D', '--field', 'price')).stdout).toContain('b.csv:5');
  });

  it('lists a record that changed since with what changed, leaves it out, and applies all others', async () => {
    const { plan, run, file, prices } = await planned();
    await run('products', file('c.csv', [row('A', 77), 'B,B,EUR,10,9']), '-q');
    await run('products', file('d.csv', [row('E', 8)]), '-q');
    const applied = await run('apply', plan, '--output', 'ndjson');
    expect(applied.code).toBe(3);
    const refused = applied.stdout
      .split('\n')
      .filter((line) => line.includes('changed_since_plan') && !line.includes('summary'));
    expect(refused.map((line) => [JSON.parse(line).external_id, JSON.parse(line).reason])).toEqual([
      ['A', 'sku: "A" changed since the plan was made (price). It was left out.'],
      ['B', 'sku: "B" changed since the plan was made (stock). It was left out.'],
      ['E', 'sku: "E" was created since the plan was made. It was left out.'],
    ]);
    expect(await prices()).toEqual({ A: '77.00', B: '10.00', C: '10.00', D: '14.00', E: '8.00' });
  });

  it('leaves out an item whose lists changed since, and applies one that changes nothing of what did', async () => {
    const it = shop();
    const write = (name: string, items: readonly object[]): string => {
      writeFileSync(join(it.path, name), JSON.stringify(items));
      return join(it.path, name);
    };
    const graded = (sku: string, ...grades: object[]) => ({ sku, currency: 'EUR', grades });
    const all = ['A', 'B', 'C', 'D'];
    const fresh = { grade: 'new', price: '5' };
    await it.run(
      'products',
      write(
        'a.json',
        all.map((sku) => graded(sku, fresh)),
      ),
      '-q',
    );
    const plan = join(it.path, 'p.plan');
    const planned = [
      ...['A', 'B', 'D'].map((sku) => graded(sku, { grade: 'new', price: '4' })),
      { sku: 'C', name: 'Lamp' },
    ];
    await it.run('plan', 'products', write('b.json', planned), '--out', plan, '-q');
    const [, line = ''] = readFileSync(plan, 'utf8').split('\n');
    expect(JSON.parse(line)).toMatchObject({
      ...{ sku: 'A', grades: [{ grade: 'new', price: '4' }], _line: 1, _expect: { 'grades[new].price': '5.00' } },
      _report: {
        action: 'updated',
        changes: [{ field: 'price' }, { field: 'grades[new].price', from: '5.00', to: '4.00' }],
      },
    });
    // An entry that was added would be taken out, another price overwritten; C and D got what the plan does not change.
    const since = [
      graded('A', fresh, { grade: 'good', price: '3' }),
      graded('B', { grade: 'new', price: '6' }),
      { ...graded('C', { grade: 'new', price: '8' }), seo_title: 'Changed' },
      { sku: 'D', currency: 'EUR', seo_title: 'Changed' },
    ];
    await it.run('products', write('c.json', since), '-q');
    const applied = await it.run('apply', plan, '--output', 'json', '--report', 'all');
    expect(applied.code).toBe(3);
    const { data } = JSON.parse(applied.stdout).response as { data: Line[] };
    expect(data.map(({ external_id: key, action, reason }) => [key, action, reason])).toEqual([
      [
        'A',
        'refused',
        expect.stringMatching(/changed since the plan was made \(.*grades\[good\].status\). It was left out./),
      ],
      [
        'B',
        'refused',
        expect.stringMatching(/changed since the plan was made \(.*grades\[new\].price\). It was left out./),
      ],
      ['D', 'updated', null],
      ['C', 'updated', null],
    ]);
    const read = JSON.parse((await it.run('get', 'product', '--sku', 'C')).stdout);
    expect(read).toMatchObject({ name: 'Lamp', seo_title: 'Changed', price: '8.00' });
  });

  it('with --strict applies nothing in that case, and everything where nothing changed', async () => {
    const { plan, run, file, prices } = await planned();
    await run('products', file('c.csv', [row('A', 77)]), '-q');
    const strict = await run('apply', plan, '--strict');
    expect(strict.code).toBe(3);
    expect(strict.stderr).toContain('--strict wrote nothing');
    expect(strict.stdout).toContain('changed_since_plan');
    expect(await prices()).toMatchObject({ B: '10.00', D: '10.00' });
    expect(JSON.parse((await run('runs', '--output', 'json')).stdout)).toHaveLength(2);
    await run('undo', '2');
    expect((await run('apply', plan, '--strict')).code).toBe(0);
    expect(await prices()).toMatchObject({ A: '11.00', E: '5.00' });
  });

  it('an item that somebody else applied meanwhile is unchanged', async () => {
    const { plan, run, file } = await planned();
    await run('products', file('c.csv', second), '-q');
    const applied = await run('apply', plan, '--output', 'json');
    expect(applied.code).toBe(0);
    expect(counts(applied)).toMatchObject({ unchanged: 4, total: 4 });
  });

  it('a second apply finds everything applied, also what was changed back since; after an undo it can be applied again', async () => {
    const { plan, run, file, prices } = await planned();
    await run('apply', plan, '-q');
    await run('products', file('c.csv', [row('A', 10)]), '-q');
    const again = await run('apply', plan, '--output', 'json');
    expect(again.code).toBe(0);
    expect(again.stderr).toContain('run 2 applied this plan already');
    expect(counts(again)).toMatchObject({ unchanged: 4, total: 4 });
    expect(await prices()).toMatchObject({ A: '10.00', B: '12.00' });
    await run('products', file('c.csv', [row('A', 11)]), '-q');
    await run('undo', '2');
    // Somebody gave A the same price since, so that it is theirs.
    expect(await prices()).toMatchObject({ A: '11.00', B: '10.00' });
    const anew = await run('apply', plan, '--output', 'json');
    expect(counts(anew)).toEqual({ created: 0, updated: 3, unchanged: 1, refused: 0, total: 4 });
    expect(await prices()).toEqual({ A: '11.00', B: '12.00', C: '10.00', D: '14.00', E: '5.00' });
    expect((await run('apply', plan)).stderr).toContain('applied this plan already');
  });

  it('checks what it left out again each time, until the record is as it was', async () => {
    const { plan, run, file, prices } = await planned();
    await run('products', file('c.csv', [row('A', 77)]), '-q');
    expect((await run('apply', plan, '-q')).code).toBe(3);
    const linesOf = ({ stdout }: { readonly stdout: string }) =>
      JSON.parse(stdout).response.data.map(
        (line: { external_id: string; code: string; notice: { code: string }[] }) => [
          line.external_id,
          line.code ?? line.notice[0]?.code,
        ],
      );
    const others = ['B', 'D', 'E'].map((sku) => [sku, 'already_applied']);
    for (const options of [[], ['--dry-run'], ['--strict'], []]) {
      const again = await run('apply', plan, '--output', 'json', '--report', 'all', ...options);
      expect(again.code, again.stderr).toBe(3);
      expect(again.stderr).toContain(
        'run 3 applied 3 of 4 items of this plan already; what it left out is checked again',
      );
      expect(linesOf(again)).toEqual([['A', 'changed_since_plan'], ...others]);
    }
    expect(await prices()).toMatchObject({ A: '77.00', B: '12.00' });
    await run('undo', '2');
    expect(counts(await run('apply', plan, '--output', 'json'))).toMatchObject({
      updated: 1,
      unchanged: 3,
      refused: 0,
    });
    expect(await prices()).toMatchObject({ A: '11.00', B: '12.00' });
    const last = await run('apply', plan);
    expect(last).toMatchObject({ code: 0 });
    expect(last.stderr).toContain('applied this plan already; undo');
  });

  it('of a file without changes counts as one run of the feed', async () => {
    const it = shop();
    await it.run('products', it.file('a.csv', [...first, row('Z', 1)]), '--feed', 'erp', '-q');
    const plan = join(it.path, 'night.plan');
    await it.run('plan', 'products', it.file('b.csv', first), '--feed', 'erp', '--out', plan, '-q');
    const applied = await it.run('apply', plan);
    expect(applied.stderr).toContain('erp: 1 record no longer listed: Z');
    expect(applied.stderr).not.toContain('no records');
    const again = await it.run('apply', plan);
    expect(again).toMatchObject({ code: 0 });
    expect(again.stderr).toContain('run 2 applied this plan already');
    expect(again.stderr).not.toContain('no longer listed');
  });

  it('predicts its result with --dry-run, and writes nothing', async () => {
    const { plan, run, file, prices } = await planned();
    await run('products', file('c.csv', [row('A', 77)]), '-q');
    const dry = await run('apply', plan, '--dry-run', '--output', 'json');
    expect(dry.code).toBe(3);
    expect(counts(dry)).toMatchObject({ created: 1, updated: 2, refused: 1 });
    expect(await prices()).toMatchObject({ B: '10.00' });
  });

  it('creates records that other items of the plan refer to, in one file and in a folder of several', async () => {
    const it = shop();
    const files: Record<string, unknown[]> = {
      characteristics: [
        { name: 'Size', values: [{ label: 'S' }] },
        { name: 'Size', values: { add: [{ label: 'L' }] } },
      ],
      categories: [{ name: 'Home' }, { name: 'Lamps', parent: 'Home' }, { name: 'Home', description: 'again' }],
      groups: [{ name: 'G', axes: [{ attribute: 'Size' }] }],
      products: [
        { sku: 'A', currency: 'EUR', category: 'Home > Lamps', group: 'G', attributes: [{ type: 'Size', value: 'L' }] },
        { sku: 'B', currency: 'EUR', name: 'A' },
        { sku: 'A', stock: 3, category: 'Home' },
      ],
    };
    const at = folder();
    for (const [name, items] of Object.entries(files)) writeFileSync(join(at, `${name}.json`), JSON.stringify(items));
    const plan = join(it.path, 'shop.plan');
    const made = await it.run('plan', 'run', at, '--out', plan);
    expect(made.code, made.stderr).toBe(0);
    expect(existsSync(join(it.path, 'shop.db'))).toBe(false);
    const applied = await it.run('apply', plan);
    expect(applied.code, applied.stderr + applied.stdout).toBe(0);
    const twin = shop();
    await twin.run('run', at, '-q');
    const dump = async ({ run }: Shop): Promise<string> => {
      const all = await Promise.all(Object.keys(files).map((name) => run('export', name)));
      return all.map(({ stdout }) => stdout.replace(/"(created_at|updated_at)":\d+/g, '')).join('');
    };
    expect(await dump(it)).toBe(await dump(twin));
  });

  it('keeps reviews apart that were in two batches, where one may hold a record once', async () => {
    const it = shop();
    const customers = join(it.path, 'customers.json');
    writeFileSync(customers, JSON.stringify([{ external_id: 'c1' }]));
    await it.run('shop', 'load', 'customers', customers, '-q');
    const review = (id: string, rating: number) => ({
      external_id: id,
      customer_external_id: 'c1',
      product_sku: 'P',
      rating,
    });
    const many = Array.from({ length: 300 }, (_, i) => review(`r${i}`, 3));
    const file = join(it.path, 'reviews.json');
    writeFileSync(file, JSON.stringify(many));
    await it.run('reviews', file, '-q');
    writeFileSync(file, JSON.stringify([review('r0', 1), ...many.slice(1), review('r0', 5)]));
    const plan = join(it.path, 'reviews.plan');
    await it.run('plan', file, '--out', plan, '-q');
    const applied = await it.run('apply', plan, '--output', 'json');
    expect(counts(applied)).toEqual({ created: 0, updated: 2, unchanged: 0, refused: 0, total: 2 });
  });

  it('applies only to the catalog it was made for, wherever that is moved or restored to', async () => {
    const [it, twin] = [shop(), shop()];
    // The same records, made at the same time.
    for (const one of [it, twin])
      await one.run('products', one.file('a.csv', [row('A', 10)]), '--set', 'created_at=1700000000', '-q');
    const plan = join(it.path, 'night.plan');
    await it.run('plan', 'products', it.file('b.csv', [row('A', 11)]), '--out', plan, '-q');
    const refused = await twin.run('apply', plan);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(/was made for another catalog \(.*shop\.db\); nothing was written/);
    expect(await twin.prices()).toEqual({ A: '10.00' });
    const absent = join(it.path, 'absent.db');
    expect((await typedHere(['apply', plan, '--db', absent])).code).toBe(2);
    expect(existsSync(absent)).toBe(false);
    const restored = join(it.path, 'restored.db');
    await it.run('backup', restored);
    expect((await typedHere(['apply', plan, '--db', restored])).code).toBe(0);
    expect((await it.run('apply', plan)).code).toBe(0);
  });

  it('refuses a plan that is truncated, damaged, extended or of another version, a file that is not a plan, and a remote', async () => {
    const { plan, path, run, prices } = await planned();
    const text = readFileSync(plan, 'utf8');
    const lines = text.trimEnd().split('\n');
    const broken: Record<string, readonly [string, RegExp]> = {
      cut: [text.slice(0, text.length - 30), /was cut off/],
      'cut at a line': [`${lines.slice(0, -1).join('\n')}\n`, /was cut off/],
      changed: [text.replace('"11"', '"99"'), /is damaged/],
      longer: [`${text}{"sku":"A"}\n`, /follows the end/],
      older: [
        text.replace('"catalog_import_plan":4', '"catalog_import_plan":3'),
        /has version 3 of the form, and this program reads 4; nothing was written\. Make the plan again\./,
      ],
      newer: [text.replace('"catalog_import_plan":4', '"catalog_import_plan":5'), /has version 5 of the form/],
      'of another program': [
        text.replace(/"version":"[^"]+"/, '"version":"0.0.1"'),
        /another version of the program \(0\.0\.1\); nothing was written\. Make the plan again\./,
      ],
      'a feed': [header, /is not a plan/],
      empty: ['', /is not a plan/],
    };
    for (const [what, [content, why]] of Object.entries(broken)) {
      const file = join(path, 'broken.plan');
      writeFileSync(file, content);
      for (const typed of [await run('apply', file), await typedHere(['plan', 'show', file])]) {
        expect(typed.code, what).toBe(2);
        expect(typed.stderr, what).toMatch(why);
      }
    }
    expect((await run('apply', join(path, 'nowhere.plan'))).code).toBe(5);
    for (const args of [
      ['apply', plan],
      ['plan', 'products', plan, '--out', join(path, 'x.plan')],
    ]) {
      const remote = await typedHere([...args, '--remote', 'http://127.0.0.1:9']);
      expect(remote.code).toBe(2);
      expect(remote.stderr).toContain('on the machine of the catalog');
    }
    expect(await prices()).toMatchObject({ A: '10.00' });
  });
});

type PlanLine = Record<string, unknown>;

/** A plan with other lines in the place of its own, and the right digest. */
function forged(text: string, forge: (lines: PlanLine[]) => readonly unknown[]): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PlanLine);
  const made = forge(lines);
  const written = (line: unknown): string => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`;
  const body = made.slice(0, -1).map(written).join('');
  const { _end: end } = made.at(-1) as { _end?: object };
  const sha256 = createHash('sha256').update(body).digest('hex');
  return end === undefined ? made.map(written).join('') : body + written({ _end: { ...end, sha256 } });
}

describe('what the end of the run of a feed would do', () => {
  const skus = Array.from({ length: 40 }, (_, i) => `A-${String(i + 1).padStart(3, '0')}`);
  const gone = skus.slice(10);
  const rows = (all: readonly string[], price = 10) => all.map((sku) => `${row(sku, price)},activated`);
  const first20 = `${gone.slice(0, 20).join(', ')} and 10 more`;

  function listed(it: Shop, name: string, lines: readonly string[]): string {
    const path = join(it.path, name);
    writeFileSync(path, [header.trimEnd().concat(',status'), ...lines, ''].join('\n'));
    return path;
  }

  /** A shop whose feed lists 40 products, and the path of a plan in which it lists ten of them. */
  async function shortened(...options: string[]): Promise<Shop & { readonly plan: string; readonly told: string }> {
    const it = shop();
    await it.run('products', listed(it, 'f.csv', rows(skus)), '--feed', 'f', '-q');
    const plan = join(it.path, 'p.plan');
    const given = ['--feed', 'f', '--max-missing', 'off', ...options];
    const made = await it.run(
      'plan',
      'products',
      listed(it, 's.csv', rows(skus.slice(0, 10))),
      ...given,
      '--out',
      plan,
    );
    expect(made.code, made.stderr).toBe(0);
    return { ...it, plan, told: made.stderr };
  }

  it('is told by every output of plan show, as by the rehearsal, and is what apply does', async () => {
    const { plan, told, run, path } = await shortened('--missing', 'suspend');
    const table = await typedHere(['plan', 'show', plan]);
    expect(table.stdout).toContain('0 items that would change something, and 30 other records');
    for (const words of [`f: 30 records no longer listed: ${first20}`, `f: 30 suspended: ${first20}`])
      for (const text of [told, table.stdout]) expect(text).toContain(words);
    const records = (['missing', 'suspended'] as const).map((effect) => ({
      ...{ effect, resource: 'product', count: 30, keys: gone },
    }));
    const { run: head } = JSON.parse((await typedHere(['plan', 'show', plan, '--output', 'json'])).stdout).response;
    expect(head.feed_end.records).toEqual(records);
    expect(head.feed_end.notes).toHaveLength(2);
    const [line = ''] = (await typedHere(['plan', 'show', plan, '--output', 'ndjson'])).stdout.split('\n');
    expect(JSON.parse(line).feed_end).toEqual(head.feed_end);
    const page = (await typedAsProcess(path, ['plan', 'show', plan, '--output', 'html'])).stdout;
    expect(page).toContain('The rows change nothing, the end of the run does');
    expect(page).toMatch(/suspended<\/b>.*product.*>30<.*A-011.*A-030.* and 10 more/);
    expect(page).not.toContain('Nothing to do');
    const applied = await run('apply', plan);
    expect(applied.stderr).toContain(`f: 30 suspended: ${first20}`);
  });

  it('names the records that take the values of lower feeds', async () => {
    const it = shop();
    await it.run('feeds', 'set', 'lo', '--below', 'f');
    await it.run('products', listed(it, 'f.csv', rows(skus)), '--feed', 'f', '-q');
    await it.run('products', listed(it, 'lo.csv', rows(skus, 9)), '--feed', 'lo', '-q');
    const plan = join(it.path, 'p.plan');
    const off = ['--max-missing', 'off', '--max-changed', 'off'];
    await it.run(
      'plan',
      'products',
      listed(it, 's.csv', rows(skus.slice(0, 10))),
      '--feed',
      'f',
      ...off,
      '--out',
      plan,
      '-q',
    );
    const words = `what lower feeds send of them applies now: ${first20}`;
    expect((await typedHere(['plan', 'show', plan])).stdout).toContain(words);
    const { run: head } = JSON.parse((await typedHere(['plan', 'show', plan, '--output', 'json'])).stdout).response;
    expect(head.feed_end.records[0]).toEqual({ effect: 'passed_on', resource: 'product', count: 30, keys: gone });
    expect((await it.run('apply', plan)).stderr).toContain(words);
    expect(await it.prices()).toMatchObject({ 'A-010': '10.00', 'A-011': '9.00' });
  });

  it('is in the plan of a run that a guard stopped, and says where a part of the file tells nothing', async () => {
    const it = await shortened('--limit', '3');
    expect((await typedHere(['plan', 'show', it.plan])).stdout).toContain(
      'f: only a part of the feed was read; no record counts as missing.',
    );
    const given = ['--feed', 'f', '--missing', 'suspend', '--max-missing', '10%', '-q'];
    expect((await it.run('products', join(it.path, 's.csv'), ...given)).code).toBe(8);
    const shown = await typedHere(['plan', 'show', join(it.path, 'blocked-2.plan')]);
    expect(shown.stdout).toContain(`f: 30 suspended: ${first20}`);
  });
});

describe('a hostile plan', () => {
  it('is refused as a whole, or does what any file could do, and never crashes the program', async () => {
    const { plan, path, run, prices } = await planned('--feed', 'erp');
    const text = readFileSync(plan, 'utf8');
    const replaced = (at: number, line: unknown) => (lines: PlanLine[]) =>
      lines.map((one, i) => (i === at ? line : one));
    const changed = (at: number, members: object) => (lines: PlanLine[]) =>
      lines.map((one, i) => (i === at ? { ...one, ...members } : one));
    const reported = (members: object) => (lines: PlanLine[]) =>
      changed(1, { _report: { ...(lines[1]?.['_report'] as object), ...members } })(lines);
    const listed = (members: object) => (lines: PlanLine[]) =>
      lines.map((line) =>
        line['_listing'] === undefined ? line : { _listing: { ...(line['_listing'] as object), ...members } },
      );
    const ended = (members: object) => (lines: PlanLine[]) =>
      lines.map((line) => (line['_end'] === undefined ? line : { _end: { ...(line['_end'] as object), ...members } }));
    const file = { file: 'x', resource: 'products', format: 'csv', encoding: 'utf-8' };
    const counted = { created: 0, updated: 0, unchanged: 0, refused: 0, total: 0 };
    const affected = (record: object) => ended({ feed_end: { notes: [], records: [record] } });
    const forgeries: Record<string, (lines: PlanLine[]) => readonly unknown[]> = {
      'a header without a catalog': changed(0, { catalog: 7 }),
      'a time that is none': changed(0, { made: 'yesterday' }),
      'a feed with a path for a name': changed(0, { feed: { name: '../x', complete: true } }),
      'a feed that is a text': changed(0, { feed: 'erp' }),
      'an unknown resource': ended({ files: [{ ...file, resource: 'keys', counts: counted }] }),
      'an unknown format': ended({ files: [{ ...file, format: 'exe', counts: counted }] }),
      'no files': ended({ files: [] }),
      'no end': (lines) => lines.slice(0, -1),
      'an end that is none': (lines) => [...lines.slice(0, -1), { _end: null }],
      'counts below zero': ended({ files: [{ ...file, counts: { ...counted, created: -1 } }] }),
      'a listing of an unknown resource': listed({ resource: 'key' }),
      'a listing of half a key': listed({ keys: 'AAAA' }),
      'a listing that is none': listed({ keys: 7 }),
      'an end of the run that is none': ended({ feed_end: null }),
      'notes that are none': ended({ feed_end: { notes: [7], records: [] } }),
      'an unknown effect': affected({ effect: 'deleted', resource: 'product', count: 1, keys: ['A'] }),
      'more keys than records': affected({ effect: 'missing', resource: 'product', count: 0, keys: ['A'] }),
      'a line that is no JSON': replaced(1, '{"_line":2,"action":"updated"'),
      'a line that is a list': replaced(1, []),
      'a line of too many lists': changed(1, { grades: Array(250_001).fill([]) }),
      'a line of a file that is none': changed(1, { _file: 7 }),
      'a line far beyond all files': changed(1, { _file: 2 ** 40 }),
      'a line below zero': changed(1, { _line: -1 }),
      'no report': changed(1, { _report: undefined }),
      'an unknown action': reported({ action: 'deleted' }),
      'changes that are none': reported({ changes: [7] }),
      'a notice that is none': reported({ notice: {} }),
      'amounts that are none': changed(1, { _amounts: [{ field: 'price' }] }),
      'no expectation': changed(1, { _expect: undefined }),
      'an expectation of a refused item': (lines) =>
        lines.map((line) =>
          (line['_report'] as Line | undefined)?.action === 'refused' ? { ...line, _expect: {} } : line,
        ),
      'an expectation that is a number': changed(1, { _expect: 5 }),
      'an expectation that is a list': changed(1, { _expect: [] }),
      'an expectation that is a text': changed(1, { _expect: 'price' }),
    };
    for (const [what, forge] of Object.entries(forgeries)) {
      const spoiled = join(path, 'forged.plan');
      writeFileSync(spoiled, forged(text, forge));
      const shown = await typedHere(['plan', 'show', spoiled]);
      const applied = await run('apply', spoiled);
      for (const { code, stderr } of [shown, applied]) {
        expect(code, `${what}: ${stderr}`).toBe(2);
        expect(stderr, what).toContain('the plan');
      }
      expect(await prices(), what).toMatchObject({ A: '10.00' });
    }
    // Items of a plan are checked like those of any file, and members that the plan does not have are ignored.
    const items = join(path, 'items.plan');
    const item = JSON.parse('{"price":"-1","__proto__":{"polluted":1},"constructor":"x","_more":[1]}');
    writeFileSync(items, forged(text, changed(1, item)));
    const applied = await run('apply', items, '--output', 'json');
    expect(applied.code).toBe(3);
    expect(applied.stdout).toContain('field_out_of_range');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
    // An expectation of other values, or of more of them, only ever leaves an item out.
    for (const [expected, price] of [
      [{ price: { deep: [1] } }, '10.00'],
      [{ price: '10.00', __proto: 1, stock: null }, '11.00'],
    ] as const) {
      writeFileSync(items, forged(text, changed(1, { _expect: expected })));
      await run('apply', items, '-q');
      expect((await prices())['A']).toBe(price);
    }
  });

  it('is never imported as an ordinary file, nor are its lines', async () => {
    const { plan, path, run, prices } = await planned();
    const here = ['--db', join(path, 'shop.db')];
    for (const args of [
      ['products', plan, ...here],
      ['products', plan, '--format', 'csv', ...here],
      ['inspect', plan],
    ]) {
      const typed = await typedHere(args);
      expect(typed.code, args.join(' ')).toBe(2);
      expect(typed.stderr).toContain(`${plan}: the file is a plan. Import it with the command apply.`);
    }
    const lines = join(path, 'lines.ndjson');
    writeFileSync(lines, readFileSync(plan, 'utf8').split('\n').slice(1, 3).join('\n'));
    const imported = await run('products', lines, '--output', 'json');
    expect(imported.code).toBe(3);
    expect(imported.stdout).toContain('"code":"record_incomplete"');
    expect(imported.stdout).toContain('this item is from a plan (_expect); import the plan with catalog-import apply');
    expect(await prices()).toMatchObject({ A: '10.00', B: '10.00' });
  });
});

describe('a run that a guard stopped', () => {
  // Asked for, so that it counts for few records, too.
  const guarded = ['--max-price-change', '2x:5%'];
  const cheap = first.map((line) => line.replace(',10,', ',1,'));

  it('leaves its plan, and applying it overrides the guard and counts as the run of the feed', async () => {
    const it = shop();
    await it.run('products', it.file('a.csv', [...first, row('Z', 1)]), '--feed', 'erp', ...guarded, '-q');
    const stopped = await it.run('products', it.file('b.csv', cheap), '--feed', 'erp', ...guarded);
    expect(stopped.code).toBe(8);
    const plan = join(it.path, 'blocked-2.plan');
    expect(stopped.stderr).toContain(`go on with:\n  catalog-import apply ${plan} --db `);
    expect(statSync(plan).mode & 0o777).toBe(0o600);
    expect(await it.prices()).toMatchObject({ A: '10.00' });
    const shown = (await typedHere(['plan', 'show', plan])).stdout;
    expect(shown).toContain('left by run 2, which a guard stopped');
    expect(shown).toContain('--max-price-change: 4 would change in price too much');
    const applied = await it.run('apply', plan);
    expect(applied.code).toBe(0);
    expect(applied.stderr).toContain('erp: 1 record no longer listed: Z');
    expect(await it.prices()).toMatchObject({ A: '1.00', D: '1.00' });
    const runs = JSON.parse((await it.run('runs', '--output', 'json')).stdout);
    expect(runs.at(-1)).toMatchObject({ run: 3, feed: 'erp', command: 'apply', state: 'done', exit: 0 });
    // The override is the last accepted run: the same file is within its guards now.
    expect((await it.run('products', join(it.path, 'b.csv'), '--feed', 'erp', ...guarded)).code).toBe(0);
  });

  it('never replaces the plan of another catalog beside it', async () => {
    const it = shop();
    writeFileSync(join(it.path, 'blocked-2.plan'), 'mine');
    await it.run('products', it.file('a.csv', first), '--feed', 'erp', ...guarded, '-q');
    const stopped = await it.run('products', it.file('b.csv', cheap), '--feed', 'erp', ...guarded);
    expect(stopped.stderr).toContain('blocked-2.shop.plan');
    expect(readFileSync(join(it.path, 'blocked-2.plan'), 'utf8')).toBe('mine');
  });

  it('keeps the newest three of a feed, and leaves the plans of other feeds and catalogs alone', async () => {
    const it = shop();
    for (const feed of ['erp', 'other']) await it.run('products', it.file('a.csv', first), '--feed', feed, '-q');
    const block = (feed: string) => it.run('products', it.file('b.csv', cheap), '--feed', feed, ...guarded, '-q');
    await block('other');
    for (let night = 0; night < 5; night++) expect((await block('erp')).code).toBe(8);
    writeFileSync(join(it.path, 'blocked-1.plan'), 'mine');
    await block('erp');
    const plans = readdirSync(it.path).filter((name) => name.endsWith('.plan'));
    expect(plans.sort()).toEqual(['blocked-1.plan', ...[3, 7, 8, 9].map((run) => `blocked-${run}.plan`)]);
  });

  it('does not undo a newer run of its feed: what that run lists and changed stays', async () => {
    const it = shop();
    await it.run('products', it.file('a.csv', first), '--feed', 'erp', ...guarded, '-q');
    await it.run('products', it.file('b.csv', cheap), '--feed', 'erp', ...guarded, '-q');
    await it.run(
      'products',
      it.file('c.csv', [...first.slice(1), row('A', 12), row('N', 2)]),
      '--feed',
      'erp',
      '--max-created',
      'off',
      '-q',
    );
    const applied = await it.run('apply', join(it.path, 'blocked-2.plan'));
    expect(applied.code).toBe(3);
    expect(applied.stderr).toContain('erp: run 3 is newer than the plan');
    expect(await it.prices()).toEqual({ A: '12.00', B: '1.00', C: '1.00', D: '1.00', N: '2.00' });
    expect((await it.run('missing', '--feed', 'erp')).stdout).not.toContain('N');
  });

  it('plan ends with 8 as well, and the plan is there', async () => {
    const it = shop();
    await it.run('products', it.file('a.csv', first), '--feed', 'erp', ...guarded, '-q');
    const plan = join(it.path, 'night.plan');
    const made = await it.run('plan', 'products', it.file('b.csv', cheap), '--feed', 'erp', ...guarded, '--out', plan);
    expect(made.code).toBe(8);
    expect(made.stderr).toContain(`go on with:\n  catalog-import apply ${plan}`);
    expect(made.stderr).toContain('ended with exit code 8');
    expect((await it.run('apply', plan)).code).toBe(0);
  });
});

describe('an apply that is killed', () => {
  const path = folder();
  const run = (...args: string[]) => typedHere([...args, '--db', join(path, 'shop.db')]);
  const exported = async (db: string) =>
    (await typedHere(['export', 'products', '--db', db])).stdout.replace(/"created_at":\d+/g, '');
  /** The catalog before, and what an import of the file makes of it. */
  const [before, twin] = [join(path, 'before.db'), join(path, 'twin.db')];
  let imported: string;

  beforeAll(async () => {
    const rows = (price: (i: number) => number) => Array.from({ length: 1200 }, (_, i) => row(`S${i}`, price(i)));
    const write = (name: string, lines: readonly string[]) =>
      writeFileSync(join(path, name), header + lines.map((line) => `${line}\n`).join(''));
    write(
      'a.csv',
      rows(() => 10),
    );
    // A key on two lines: applied a second time, the first of them would take back the second.
    write('b.csv', [...rows((i) => 10 + (i % 3)), row('S1', 77), row('S2', 10), row('NEW', 1), row('NEW', 2)]);
    write(
      'c.csv',
      rows(() => 11),
    );
    write('d.csv', [row('S0', 77), row('S900', 77)]);
    await typedHere(['products', join(path, 'a.csv'), '--db', before, '-q']);
    copyFileSync(before, twin);
    await typedHere(['products', join(path, 'b.csv'), '--db', twin, '-q']);
    imported = await exported(twin);
    expect(imported).toContain('"NEW"');
    for (const name of ['b', 'c'])
      await typedHere([
        'plan',
        'products',
        join(path, `${name}.csv`),
        '--out',
        join(path, `${name}.plan`),
        '--db',
        before,
      ]);
  });
  beforeEach(() => copyFileSync(before, join(path, 'shop.db')));

  // The catalog is as after the commit.
  const reports = isFull ? ['before-report:2'] : [];

  it.each(['while-saving:9', 'before-commit:3', 'after-commit:3', 'before-commit:1', ...reports])(
    'at %s leaves nothing half done; the same command continues, and ends like the import',
    async (point) => {
      const args = ['apply', 'b.plan', '--db', 'shop.db', '-q'];
      const killed = await outcome(start(path, args, { CATALOG_FAILPOINT: point }));
      expect(killed.signal).toBe('SIGKILL');
      const again = await run('apply', join(path, 'b.plan'), '--output', 'json');
      expect(again.code, again.stdout.slice(0, 500)).toBe(0);
      expect(counts(again).total).toBe(804);
      expect(await exported(join(path, 'shop.db'))).toBe(imported);
      expect(counts(await run('apply', join(path, 'b.plan'), '--output', 'json'))).toMatchObject({
        unchanged: 804,
      });
      // Every run of the plan can be taken back: the catalog is as before it.
      const runs = JSON.parse((await run('runs', '--output', 'json')).stdout) as { run: number; command: string }[];
      for (const { run: number } of runs.filter(({ command }) => command === 'apply').reverse())
        await run('undo', String(number));
      expect(await run('get', 'product', '--sku', 'S1')).toMatchObject({
        stdout: expect.stringContaining('"price": "10.00"'),
      });
    },
  );

  it.each(['before-commit:4', 'after-commit:3', ...reports])(
    'at %s leaves out again what it had left out',
    async (point) => {
      await run('products', join(path, 'd.csv'), '-q');
      const plan = join(path, 'c.plan');
      const args = ['apply', 'c.plan', '--db', 'shop.db', '-q'];
      expect((await outcome(start(path, args, { CATALOG_FAILPOINT: point }))).signal).toBe('SIGKILL');
      for (const expected of [
        { refused: 2, total: 1200 },
        { updated: 0, unchanged: 1198, refused: 2, total: 1200 },
      ]) {
        const again = await run('apply', plan, '--output', 'json');
        expect(again.code, again.stderr).toBe(3);
        expect(again.stderr).toMatch(/run \d applied [\d,]+ of 1,200 items/);
        expect(counts(again)).toMatchObject(expected);
      }
    },
  );
});
