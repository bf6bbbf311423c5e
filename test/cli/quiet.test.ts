// --quiet: nothing is printed where nothing went wrong, so that cron mails failures only.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { delivery, folder, products, typed } from './typed.js';

const silent = { code: 0, stdout: '', stderr: '' };

describe('--quiet', () => {
  it('prints nothing where a command succeeds, for every command', async () => {
    const cwd = folder({ 'products.csv': products(3), 'customers.csv': 'external_id\nC-1\n' });
    mkdirSync(join(cwd, 'in'));
    copyFileSync(join(cwd, 'products.csv'), join(cwd, 'in/products.csv'));
    const lines = [
      'products products.csv --feed erp',
      'products products.csv --feed erp --output json',
      'products products.csv --output ndjson --dry-run --diff',
      'run in --report-file r.ndjson',
      'shop load customers customers.csv',
      'shop delete-product S-2',
      'backup copy.db',
      'backup copy.db --force --output json',
      'restore copy.db --db restored.db',
      'copy --from catalog.db --to other.db',
      'db migrate',
      'doctor',
      'inspect products.csv --write-map map.yaml',
      'export ./out',
      'missing --feed erp',
      'runs forget --keep 90d',
      'undo 1 --dry-run',
      'list reviews',
      'search nothing-of-it',
      'keys list',
    ];
    for (const line of lines) expect([line, await typed(cwd, [...line.split(' '), '-q'])]).toEqual([line, silent]);
  });

  it('prints a requested result, and no notice beside it', async () => {
    const cwd = folder({ 'products.csv': products(60) });
    await typed(cwd, ['products', 'products.csv', '-q']);
    const listed = await typed(cwd, ['list', 'products', '-q']);
    expect([listed.stdout.split('\n').length > 40, listed.stderr]).toEqual([true, '']);
    const key = await typed(cwd, ['keys', 'create', '--name', 'a', '--all', '-q']);
    expect([key.stdout.startsWith('cik_'), key.stderr]).toEqual([true, '']);
    expect((await typed(cwd, ['products', 'products.csv', '-q', '--report', 'none'])).stdout).toContain('60 unchanged');
  });

  it.each(['table', 'json', 'ndjson'])('prints the whole report as %s where an item was refused', async (output) => {
    const cwd = folder();
    const args = ['run', delivery, '--dry-run', '--db', 'a.db', '--output', output];
    const [quiet, loud] = [await typed(cwd, [...args, '-q']), await typed(cwd, args)];
    // Durations and starts differ.
    const same = (text: string): string => text.replace(/"(?:seconds|started)":[^,}]+|\([\d.]+ (?:ms|s)[^)]*\)/g, '');
    expect([quiet.code, quiet.stderr]).toEqual([3, '']);
    expect(same(quiet.stdout)).toBe(same(loud.stdout));
  });

  it('prints the report so far, and the error, where the run fails', async () => {
    const cwd = folder({ 'feed.json': `[{"sku": "A", "currency": "EUR"}, {"sku": "B"` });
    const { code, stdout, stderr } = await typed(cwd, ['products', 'feed.json', '-q', '--output', 'ndjson']);
    expect([code, stderr.startsWith('error: ')]).toEqual([5, true]);
    expect(stdout).toContain('"stopped"');
  });

  it('buffers a report within its memory limit, and prints it from the first refusal on', async () => {
    const cwd = folder({ 'feed.csv': `${products(12_000)}LAST,x,EUR,not a price,1\n` });
    const { code, stdout } = await typed(cwd, ['products', 'feed.csv', '-q', '--output', 'ndjson', '--dry-run']);
    const lines = stdout.trimEnd().split('\n');
    expect([code, lines.length]).toEqual([3, 12_003]);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ index: 0 });
    expect(JSON.parse(lines.at(-2) ?? '')).toMatchObject({ external_id: 'LAST', action: 'refused' });
  });

  it('prints problems: those of doctor, and refused items of an import', async () => {
    const cwd = folder({ 'bad.csv': 'sku,currency,price\nA,EUR,x\n' });
    const { code, stdout } = await typed(cwd, ['products', 'bad.csv', '-q', '--report-file', 'r.ndjson']);
    expect([code, stdout]).toEqual([3, expect.stringContaining('1 refused')]);
    expect(readFileSync(join(cwd, 'r.ndjson'), 'utf8')).toContain('"refused"');
  });
});
