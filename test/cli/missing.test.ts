// What a feed lists no longer, as it is typed: which runs count records as missing, which records are suspended for it, and
// which of them regain their status.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openRaw } from '../proof/dump.js';
import { typedAsProcess } from './started.js';
import { folder, typedHere } from './typed.js';

const off = ['--max-missing', 'off', '--max-created', 'off', '--max-price-change', 'off'];

function shop() {
  const path = folder();
  const db = join(path, 'shop.db');
  const run = (...args: string[]) => typedHere([...args, '--db', db]);
  const send = (feed: string, text: string | Uint8Array, ...options: string[]) => {
    writeFileSync(join(path, `${feed}.csv`), text);
    return run('products', join(path, `${feed}.csv`), '--feed', feed, '--report', 'none', ...options);
  };
  return {
    db,
    at: (name: string) => join(path, name),
    run,
    send,
    /** Imports a feed of active products. */
    night: (feed: string, skus: string, ...options: string[]) =>
      send(feed, list([...skus]), ...(options.includes('--max-missing') ? [] : off), ...options),
    /** Keys that a feed lists no longer, with since when. */
    async missing(feed: string): Promise<string[]> {
      const found = JSON.parse((await run('missing', '--feed', feed, '--output', 'json')).stdout);
      return found.map(
        (one: Record<string, unknown>) => `${one['key']} ${one['last_run']}-${one['since_run']} ${one['missing_runs']}`,
      );
    },
    async statuses(): Promise<string> {
      const { stdout } = await run('list', 'products', '--output', 'ndjson');
      const products = stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { sku: string; status: string });
      return products
        .map(({ sku, status }) => `${sku}:${status[0]}`)
        .sort()
        .join(' ');
    },
  };
}

const list = (skus: readonly string[]): string =>
  `sku,currency,price,status\n${skus.map((sku) => `${sku},EUR,10,activated\n`).join('')}`;

describe('missing', () => {
  it('shows names as they are stored', async () => {
    const it = shop();
    const send = (names: string) => {
      writeFileSync(it.at('categories.csv'), `name\n${names}`);
      return it.run('categories', it.at('categories.csv'), '--feed', 'erp', '--max-missing', 'off');
    };
    await send('Lamps\nSofas\n');
    expect((await send('Sofas\n')).stderr).toContain('1 record no longer listed: Lamps (catalog');
    expect(await it.missing('erp')).toEqual(['Lamps 1-2 1']);
    await send('LAMPS\nSofas\n');
    expect(await it.missing('erp')).toEqual([]);
  });

  it('lists key, last seen, since which run, and status; a refused row was seen, and one that is back is not missing', async () => {
    const it = shop();
    await it.night('erp', 'ABCD');
    const { stderr } = await it.send('erp', list(['A', 'C', 'D']).replace('C,EUR,10', 'C,EUR,dear'), ...off);
    expect(stderr).toContain('erp: 1 record no longer listed: B (catalog-import missing --feed erp)\n');
    expect(await it.missing('erp')).toEqual(['B 1-2 1']);
    await it.night('erp', 'CD');
    expect(await it.missing('erp')).toEqual(['A 2-3 1', 'B 1-2 2']);
    await it.night('erp', 'BCD');
    expect(await it.missing('erp')).toEqual(['A 2-3 2']);
    const { stdout } = await it.run('missing', '--feed', 'erp');
    expect(stdout).toMatch(
      /^resource {2}key {2}last seen +missing since +missing in +status\nproduct +A +run 2 \(.*\) +run 3 \(.*\) +2 runs +activated\n$/,
    );
  });

  const cannotTell: Readonly<
    Record<string, readonly [text: string | Uint8Array, options: readonly string[], words: string]>
  > = {
    'was cut by --limit': [list(['A']), ['--limit', '1'], 'only a part of the feed was read; no record counts'],
    'is a dry run': [list(['A']), ['--dry-run'], 'erp: 2 records no longer listed: B, C'],
    'keeps no history': [list(['A']), ['--no-history'], 'leave --no-history out'],
    'was blocked': [list(['A']), ['--min-rows', '2'], 'stopped by a guard; nothing was written'],
    'was broken': [`${list(['A'])}"B,EUR,10`, [], 'opens a quote that is never closed'],
    'had a row without a key': [`${list(['A'])},EUR,10,activated\n`, [], '1 row has no key that can be trusted'],
    'ended within a character': [
      Buffer.from('sku,currency,price,status\nA,EUR,10,activated\nB,EUR,10,ä').subarray(0, -1),
      [],
      '1 row has no key that can be trusted, or lacks its end',
    ],
    'was empty': [list([]), ['--min-rows', 'off'], 'erp: no rows; no record counts as missing'],
    'was stopped': [list(['A']).replace(/10/g, 'x'), ['--max-refused', '0'], 'more than 0 items are refused'],
  };
  it.each(Object.entries(cannotTell))('a run that %s counts nobody as missing', async (_, [text, options, words]) => {
    const it = shop();
    await it.night('erp', 'ABC', '--missing', 'suspend');
    const { stderr } = await it.send('erp', text, ...off, '--missing', 'suspend', ...options);
    expect(stderr).toContain(words);
    expect(await it.missing('erp')).toEqual([]);
    expect(await it.statuses()).toBe('A:a B:a C:a');
  });
});

describe('--missing suspend', () => {
  it('suspends what is active and no other feed lists, once it was missing often enough, as its dry run says', async () => {
    const it = shop();
    const suspending = ['--missing', 'suspend', '--missing-after', '2'];
    await it.night('erp', 'ABCDE', ...suspending);
    await it.night('supplier', 'B');
    await it.run('shop', 'delete-product', 'D');
    expect((await it.night('erp', 'A', ...suspending)).stderr).not.toContain('suspended');
    // By hand, as a manager does.
    await it.send('hand', 'sku,status\nC,draft\n', '--no-history');
    const dry = await it.night('erp', 'A', ...suspending, '--dry-run');
    const real = await it.night('erp', 'A', ...suspending);
    for (const { stderr } of [dry, real]) expect(stderr).toContain('erp: 1 suspended: E\n');
    expect(await it.statuses()).toBe('A:a B:a C:d D:d E:s');
    expect((await it.night('erp', 'A', ...suspending)).stderr).not.toContain('suspended');
    // Never deleted; the default reports only.
    await it.night('erp', 'AE');
    await it.night('erp', 'E');
    expect(await it.statuses()).toBe('A:a B:a C:d D:d E:a');
  });

  it('knows categories that are listed again by their names in any letters, as its dry run does', async () => {
    const it = shop();
    const night = async (names: readonly string[], ...options: string[]) => {
      writeFileSync(it.at('names.csv'), `name,status\n${names.map((name) => `${name},activated\n`).join('')}`);
      const args = ['categories', it.at('names.csv'), '--feed', 'erp', '--missing', 'suspend', '--report', 'none'];
      return (await it.run(...args, ...off.slice(0, 4), '--max-shown', 'off', ...options)).stderr;
    };
    const shown = async () => {
      const { stdout } = await it.run('list', 'categories', '--output', 'ndjson');
      const records = stdout.trim().split('\n');
      return records.map((line) => JSON.parse(line)).flatMap((one) => (one.status === 'activated' ? [one.name] : []));
    };
    const all = ['Lamps', 'ÉCRAN', 'X'];
    await night(all);
    expect(await night(['Lamps'])).toContain('erp: 2 suspended: ');
    expect(await shown()).toEqual(['Lamps']);
    for (const options of [['--dry-run'], []]) expect(await night(all, ...options)).not.toContain(' suspended: ');
    expect(await shown()).toEqual(all);
    await it.run('feeds', 'retire', 'erp');
    expect(await shown()).toEqual([]);
    expect(await night(['LAMPS', 'écran', 'x'])).not.toContain(' suspended: ');
    expect(await shown()).toHaveLength(3);
  });

  it.each([
    ['of which the run had no file', ['categories', 'name\nRoot\n'], list(['A', 'B'])],
    [
      'of which the run could not tell all keys',
      ['products', 'sku,currency\nA,EUR\n'],
      'sku,currency,price\nA,EUR,10\n,EUR,1\n',
    ],
  ])('suspends no record %s, though an earlier run reported it', async (_, [command = '', shorter = ''], rows) => {
    const it = shop();
    const file = (text: string): string => {
      const path = join(folder(), 'file.csv');
      writeFileSync(path, text);
      return path;
    };
    const of = (...args: string[]) => it.run(...args, '--feed', 'erp', '--report', 'none', ...off.slice(0, 4));
    await of('categories', file('name,status\nRoot,activated\nSub,activated\n'));
    await it.night('erp', 'AB');
    expect((await of(command, file(shorter))).stderr).toContain('1 record no longer listed');
    const { stderr } = await of('products', file(rows), '--missing', 'suspend');
    expect(stderr).not.toContain('suspended');
    expect(await it.statuses()).toBe('A:a B:a');
    expect((await it.run('list', 'categories', '--output', 'ndjson')).stdout).not.toContain('suspended');
  });

  it('what it suspended comes back with the feed; what a person suspended, or changed since, stays', async () => {
    const it = shop();
    const only = (skus: string, ...options: string[]) => {
      const text = `sku,currency,price\n${[...skus].map((sku) => `${sku},EUR,10\n`).join('')}`;
      return it.send('erp', text, ...off, '--missing', 'suspend', ...options);
    };
    await it.night('erp', 'ABC');
    await only('B');
    expect(await it.statuses()).toBe('A:s B:a C:s');
    const byHand = (text: string) => it.run('products', text, '--quiet');
    const file = join(folder(), 'hand.csv');
    writeFileSync(file, 'sku,status\nB,suspended\nC,activated\n');
    await byHand(file);
    writeFileSync(file, 'sku,status\nC,suspended\n');
    await byHand(file);
    await only('ABC');
    expect(await it.statuses()).toBe('A:a B:s C:s');
  });
});

describe('a run that was undone', () => {
  const whole = 'ABCDEFGHIJKLMNOPQRST';
  const half = 'ABCDEFGHIJ';
  const suspending = ['--missing', 'suspend'];

  it('does not count: the same file is stopped again, until the undo is undone', async () => {
    const it = shop();
    const guarded = (skus: string) => it.send('erp', list([...skus]), ...suspending);
    const feed = async () => JSON.parse((await it.run('feeds', '--output', 'json')).stdout)[0];
    await guarded(whole);
    await it.night('erp', half, ...suspending);
    await it.run('undo', '2');
    expect(await feed()).toMatchObject({ lists: { product: 20 }, last_run: { run: 2, undone: true } });
    expect((await it.run('feeds')).stdout).toMatch(/20 product {2}run 2 \(.*\), undone\n$/);
    expect(await it.missing('erp')).toEqual([]);
    const again = await guarded(half);
    expect(again.code).toBe(8);
    expect(again.stderr).toContain('--max-missing: 10 are missing, 50 % of 20 (limit 20 %)');
    const part = await it.night('erp', half, '--limit', '10');
    expect(part.stderr).toContain('the same file as run 2, which was undone.\n');
    await it.run('undo', '3');
    expect(await feed()).toMatchObject({ lists: { product: 10 } });
    expect((await it.missing('erp'))[0]).toBe('K 1-2 1');
    expect((await guarded(half)).code).toBe(0);
  });

  it('is named where its file comes again, and its night does not count for --missing-after', async () => {
    const it = shop();
    const after = [...suspending, '--missing-after', '2'];
    await it.night('erp', 'AB', ...after);
    await it.night('erp', 'A', ...after);
    await it.run('undo', '2');
    const { stderr } = await it.night('erp', 'A', ...after);
    expect(stderr).toContain('the same file as run 2, which was undone.\n');
    expect(stderr).not.toContain('suspended');
    expect(await it.missing('erp')).toEqual(['B 1-4 1']);
    expect((await it.night('erp', 'A', ...after)).stderr).toContain('erp: 1 suspended: B\n');
    // One in between: the two nights around it still count.
    await it.run('undo', '4');
    expect(await it.missing('erp')).toEqual(['B 1-5 1']);
  });

  it.each(['activated', undefined])(
    'created records that count as created if they come again, with the status %s in the file',
    async (status) => {
      const it = shop();
      const junk = 'UVWXYZ';
      const head = status === undefined ? 'sku,currency,price' : 'sku,currency,price,status';
      const guarded = (skus: string, ...options: string[]) => {
        const rows = [...skus].map((sku) => `${sku},EUR,10${status === undefined ? '' : `,${status}`}\n`);
        return it.send('erp', `${head}\n${rows.join('')}`, ...suspending, ...options);
      };
      await guarded(whole);
      await guarded(whole + junk, '--max-created', 'off');
      await it.run('undo', '2');
      expect((await guarded(whole)).code).toBe(0);
      const again = await guarded(whole + junk);
      expect(again.code).toBe(8);
      expect(again.stderr).toContain('--max-created: 6 would be created, 30 % of 20 (limit 20 %)');
      expect(again.stderr).toContain('line 22: U: created again, which was undone');
      expect(await it.statuses()).toContain('T:a U:s V:s W:s X:s Y:s Z:s'.replace('T:a', status ? 'T:a' : 'T:d'));
      // What was suspended as the feed did not list it was not created: its return is no accident.
      expect((await guarded(half, '--max-missing', 'off')).code).toBe(0);
      expect((await guarded(whole)).code).toBe(0);
    },
  );

  it('and was the first of its feed, leaves it without an accepted run', async () => {
    const it = shop();
    await it.night('erp', half);
    await it.run('undo', '1');
    expect(JSON.parse((await it.run('feeds', '--output', 'json')).stdout)).toMatchObject([{ feed: 'erp', lists: {} }]);
    const { code, stderr } = await it.send('erp', list([...whole]));
    expect(code).toBe(0);
    expect(stderr).toContain('erp: no accepted run of this feed yet');
    expect(await it.missing('erp')).toEqual([]);
  });
});

describe('feeds retire', () => {
  it('suspends what only the feed lists, as its dry run says, and can be undone; the feed may come back', async () => {
    const it = shop();
    await it.night('acme', 'ABC');
    await it.night('erp', 'CD');
    const words = 'acme: 3 records no longer listed, 2 suspended, 0 passed on to other feeds';
    expect((await it.run('feeds', 'retire', 'acme', '--dry-run')).stdout).toBe(`Dry run: ${words}\n`);
    expect(await it.statuses()).toBe('A:a B:a C:a D:a');
    expect((await it.run('feeds', 'retire', 'acme')).stdout).toBe(`${words} (run 3)\n`);
    expect(await it.statuses()).toBe('A:s B:s C:a D:a');
    expect(await it.missing('acme')).toEqual(['A 1-3 1', 'B 1-3 1', 'C 1-3 1']);
    await it.run('undo', '3');
    expect(await it.statuses()).toBe('A:a B:a C:a D:a');
    expect(await it.missing('acme')).toEqual([]);
    const again = JSON.parse((await it.run('feeds', 'retire', 'acme', '--output', 'json')).stdout);
    expect(again).toMatchObject({ run: 5, listed: 3, end: { suspended: 2, regained: 0, passed_on: 0 } });
    expect(again.lines[0]).toMatchObject({ external_id: 'A', cause: 'retired', line: null, feed: 'acme' });
    expect((await it.send('acme', list(['A', 'B', 'C']))).code).toBe(0);
    expect(await it.statuses()).toBe('A:a B:a C:a D:a');
  });

  it('is named by why and by the changes of its run, as a suspension by an import is', async () => {
    const it = shop();
    await it.night('acme', 'ABCDE');
    await it.night('acme', 'ABCD', '--missing', 'suspend');
    await it.run('feeds', 'retire', 'acme');
    const why = async (sku: string) => (await it.run('why', 'product', sku, '--field', 'status')).stdout;
    expect(await why('E')).toMatch(/ suspended +2 +acme +\(no longer listed\) +activated\n/);
    expect(await why('A')).toMatch(/ suspended +3 +acme +feeds retire acme +activated\n/);
    const told = JSON.parse((await it.run('why', 'product', 'A', '--output', 'json')).stdout);
    expect(told[0]).toMatchObject({ field: 'status', value: 'suspended', run: 3, file: '', line: 0, cause: 'retired' });
    const changes = (run: string) => it.run('runs', 'show', run, '--changes', '--output', 'json');
    expect((await changes('2')).stdout).toContain('"file":"","line":0,"cause":"missing"');
    expect((await it.run('runs', 'show', '3', '--changes')).stdout).toMatch(
      /^product A +status activated → suspended +feeds retire acme$/m,
    );
  });

  it('is told in every form of report and in the status file as the end of an import is', async () => {
    const it = shop();
    await it.night('acme', 'AB');
    const names = ['r.ndjson', 'r.json', 'r.csv', 'r.html', '{feed}-{run}.json'];
    const reports = names.flatMap((name) => ['--report-file', it.at(name)]);
    const args = ['feeds', 'retire', 'acme', '--db', it.at('shop.db'), ...reports, '--status-file', it.at('r.prom')];
    // The page has a script and a style that the build makes.
    const { code, stdout, stderr } = await typedAsProcess(it.at('.'), args);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^acme: 2 records no longer listed, 2 suspended, 0 passed on .*run 2\)\n$/),
    ]);
    expect(stderr).toContain('acme: 2 suspended: A, B');
    const read = (name: string) => readFileSync(it.at(name), 'utf8');
    const [, first, , summary] = read('r.ndjson')
      .split('\n')
      .filter(Boolean)
      .map((text) => JSON.parse(text));
    expect(first).toMatchObject({
      ...{ external_id: 'A', cause: 'retired', feed: 'acme', action: 'updated', line: null },
      changes: [{ field: 'status', from: 'activated', to: 'suspended' }],
    });
    expect(summary).toMatchObject({ run: 2, total: 0, end: { suspended: 2, regained: 0, passed_on: 0 }, exit: 0 });
    expect(JSON.parse(read('r.json')).response.end.data).toHaveLength(2);
    expect(read('r.csv')).toMatch(/^\ufefffile,.*cause,feed,changes\n,product,,,A,updated,/);
    expect(read('acme-2.json')).toContain('"retired"');
    const page = read('r.html').replace(/<(script|style)[\s\S]*?<\/\1>/g, '');
    expect(page).toContain('2 records changed');
    expect(page).toContain('the feed was ended');
    expect(page).not.toMatch(/0 files|every item was accepted|nothing to import/);
    expect(read('r.prom')).toContain('catalog_import_last_end{feed="acme",effect="suspended"} 2\n');
    expect(read('r.prom')).toContain('catalog_import_last_exit_code{feed="acme"} 0\n');
    const again = await typedAsProcess(it.at('.'), args);
    expect(again.code).toBe(9);
    expect(read('r.prom')).toContain('catalog_import_last_exit_code{feed="acme"} 9\n');
  });

  it('only reports, where that is asked for; passes values on to lower feeds; and refuses a feed that lists nothing', async () => {
    const it = shop();
    await it.run('feeds', 'set', 'low', '--below', 'acme');
    await it.send('low', 'sku,currency,price,status\nA,EUR,7,activated\n', ...off);
    await it.night('acme', 'AB');
    const { stdout } = await it.run('feeds', 'retire', 'acme', '--missing', 'report');
    expect(stdout).toBe('acme: 2 records no longer listed, 0 suspended, 1 passed on to other feeds (run 3)\n');
    expect(await it.statuses()).toBe('A:a B:a');
    // What its end changed is no item that it read.
    const shown = JSON.parse((await it.run('runs', 'show', '3', '--output', 'json')).stdout);
    const none = { created: 0, updated: 0, unchanged: 0, refused: 0, total: 0 };
    expect(shown).toMatchObject({ ...none, end: { suspended: 0, regained: 0, passed_on: 1 } });
    expect(JSON.parse((await it.run('get', 'product', '--sku', 'A')).stdout)).toMatchObject({ price: '7.00' });
    const slip = await it.run('feeds', 'retire', 'acne');
    expect(slip.code).toBe(9);
    expect(slip.stderr).toContain('Feed acne lists nothing. Did you mean');
  });
});

describe('history', () => {
  /** Makes runs older. */
  const aged = (db: string, days: number, runs: string): void => {
    const database = openRaw(db);
    for (const table of ['run', 'run_change'])
      database.exec(
        `UPDATE ${table} SET created_at = created_at - 86400 * ${days} WHERE substr(id, 1, 10) + 0 IN (${runs})`,
      );
    database.close();
  };

  it('of runs that began more than 90 days ago, or as --keep says, goes after a run', async () => {
    const it = shop();
    const file = join(folder(), 'a.csv');
    for (const price of [1, 2, 3]) {
      writeFileSync(file, `sku,currency,price\nX,EUR,${price}\n`);
      await it.run('products', file, '--quiet');
    }
    aged(it.db, 91, '1');
    aged(it.db, 10, '2');
    const numbers = async () =>
      JSON.parse((await it.run('runs', '--output', 'json')).stdout).map(({ run }: { run: number }) => run);
    const { stderr } = await it.night('erp', 'ABC');
    expect(stderr).toContain('The history of 1 run was forgotten (--keep), the last of them run 1');
    expect(await numbers()).toEqual([2, 3, 4]);
    expect((await it.run('undo', '1')).code).toBe(9);
    await it.night('erp', 'ABC', '--keep', '9d');
    expect(await numbers()).toEqual([3, 4, 5]);
    const database = openRaw(it.db);
    expect(database.prepare("SELECT count(*) FROM run_change WHERE id LIKE '000000000_-%'").pluck().get()).toBe(2);
    database.close();
  });

  it('of the last complete runs of a feed stays, whatever their age, with the undos among them', async () => {
    const it = shop();
    for (let night = 1; night <= 12; night++) await it.night('erp', night % 2 === 0 ? 'AB' : 'ABC');
    await it.run('undo', '12');
    aged(it.db, 1000, '1,2,3,4,5,6,7,8,9,10,11,12,13');
    await it.night('other', 'A');
    const runs = JSON.parse((await it.run('runs', '--output', 'json')).stdout);
    expect(runs).toHaveLength(14);
    expect(await it.missing('erp')).toEqual([]);
  });

  it.each([
    [2, 'before'],
    [-32, 'after'],
  ])('is not forgotten by a run whose clock is %i days off the last one, which says so', async (days, word) => {
    const it = shop();
    const file = join(folder(), 'a.csv');
    writeFileSync(file, 'sku,currency,price\nX,EUR,1\n');
    await it.run('products', file, '--quiet');
    await it.night('erp', 'AB');
    aged(it.db, 1000, '1');
    const database = openRaw(it.db);
    database.exec(
      `UPDATE run SET created_at = created_at + 86400 * ${days}, ended_at = ended_at + 86400 * ${days} WHERE id LIKE '%2'`,
    );
    database.close();
    const { stderr } = await it.night('erp', 'AB');
    expect(stderr).toMatch(new RegExp(`The clock is \\d+ days? ${word} run 2, the last one; no history is forgotten`));
    const later = await it.night('erp', 'AB');
    expect(later.stderr).toContain('The history of 1 run was forgotten');
  });

  it('an unchanged night adds a run and nothing else, and a feed keeps its keys in one row', async () => {
    const it = shop();
    await it.night('erp', 'ABC');
    const size = () => {
      const database = openRaw(it.db);
      const count = (table: string) => Number(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
      const counts = { changes: count('run_change'), listings: count('feed_listing'), runs: count('run') };
      const bytes = Number(database.prepare('SELECT length(keys) + length(read_by) FROM feed_listing').pluck().get());
      database.close();
      return { ...counts, bytes };
    };
    const first = size();
    expect(first).toMatchObject({ changes: 1, listings: 1, runs: 1 });
    for (let night = 0; night < 3; night++) await it.night('erp', 'ABC');
    expect(size()).toEqual({ ...first, runs: 4 });
  });

  it('keeps no text of a new record, no long text that a run wrote, and no secret', async () => {
    const it = shop();
    const long = 'unmistakable '.repeat(100);
    const head = 'sku,currency,note,description\n';
    await it.send('erp', `${head}A,EUR,newborn,short\n`, ...off);
    await it.send('erp', `${head}A,EUR,newborn,${long}\n`, ...off);
    const database = openRaw(it.db);
    const bodies = database.prepare('SELECT body FROM run_change').pluck().all() as (string | Uint8Array)[];
    const details = database.prepare('SELECT detail FROM run').pluck().all() as string[];
    database.close();
    const { unpackChanges } = await import('../../src/store/ledger/change-reader.js');
    const kept = JSON.stringify([bodies.map((body) => unpackChanges(body as never)), details]);
    expect(kept).toContain('short');
    for (const text of ['newborn', 'unmistakable']) expect(kept).not.toContain(text);
  });
});
