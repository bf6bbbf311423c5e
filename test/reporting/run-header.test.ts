// What JSON reports contain besides the lines: how the run was started and how it ended, and problems as fields.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { typedAsProcess } from '../cli/started.js';
import { folder, typedHere } from '../cli/typed.js';

interface Told {
  readonly type?: string;
  readonly action?: string;
  readonly problems?: readonly { readonly field: string; readonly column: string | null }[];
  readonly [member: string]: unknown;
}

async function told(cwd: string, file: string, ...args: readonly string[]): Promise<Told[]> {
  const db = join(cwd, 'c.db');
  const { stdout } = await typedHere(['products', join(cwd, file), '--db', db, '--output', 'ndjson', ...args]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
}

/** `field ← column` of every problem. */
const origins = (lines: readonly Told[]): string[] =>
  lines.flatMap(({ problems = [] }) => problems.map(({ field, column }) => `${field} ← ${column}`));

const feed = 'sku,currency,Net price,stock\nA,EUR,1.00,1\nB,EUR,x,1\nC,EUR,1.00,many\nD,EUR,y,1\n';

describe('an NDJSON report', () => {
  it('begins with how the run was started, and ends with its counts by code, duration and exit code', async () => {
    const cwd = folder({ 'feed.csv': feed });
    const lines = await told(cwd, 'feed.csv', '--rename', 'Net price=price', '-n');
    expect(lines[0]).toEqual({
      type: 'run',
      number: null,
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      started: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      command: 'products',
      files: [join(cwd, 'feed.csv')],
      target: join(cwd, 'c.db'),
      dry_run: true,
      options: { output: 'ndjson', rename: ['Net price=price'], 'dry-run': true },
    });
    expect(lines.at(-1)).toMatchObject({
      type: 'summary',
      refused: 3,
      codes: { field_format: 2, field_type: 1 },
      notices: {},
      seconds: expect.any(Number),
      exit: 3,
    });
  });

  it('has the number of the run at both ends, which `runs show` takes', async () => {
    const cwd = folder({ 'feed.csv': 'sku,currency\nA,EUR\n' });
    await told(cwd, 'feed.csv');
    const lines = await told(cwd, 'feed.csv');
    expect([lines[0]?.['number'], lines.at(-1)?.['run']]).toEqual([2, 2]);
    const { stdout } = await typedHere([
      'products',
      join(cwd, 'feed.csv'),
      '--db',
      join(cwd, 'c.db'),
      '--output',
      'json',
    ]);
    expect(JSON.parse(stdout).response.run.number).toBe(3);
  });

  it('on a page advises undo only where the run changed something', async () => {
    const cwd = folder({ 'feed.csv': 'sku,currency\nA,EUR\n' });
    const page = async (name: string): Promise<string> => {
      expect((await typedAsProcess(cwd, ['products', 'feed.csv', '--report-file', name])).code).toBe(0);
      return readFileSync(join(cwd, name), 'utf8');
    };
    expect(await page('one.html')).toContain('runs show 1, undo 1');
    expect(await page('two.html')).toMatch(/runs show 2(?!, undo)/);
  });

  it('has the counts alone with --report none', async () => {
    const cwd = folder({ 'feed.csv': feed });
    const lines = await told(cwd, 'feed.csv', '--rename', 'Net price=price', '--report', 'none');
    expect(lines.map(({ type }) => type)).toEqual(['summary']);
  });

  it('of a run that ends early contains its exit code', async () => {
    const cwd = folder({ 'feed.csv': feed });
    const lines = await told(cwd, 'feed.csv', '--rename', 'Net price=price', '--max-refused', '0');
    expect(lines.at(-1)).toMatchObject({ stopped: 'guard_stopped', exit: 8 });
  });
});

describe('a JSON report', () => {
  it('of several files has the head and the end once, and the codes of each file', async () => {
    const cwd = folder({
      '1-categories.csv': 'name,position\nA,x\n',
      '2-products.csv': 'sku,currency,price\nB,EUR,x\nC,EUR,1\n',
    });
    const out = folder();
    await typedHere(['run', cwd, '--db', join(out, 'c.db'), '--quiet', '--report-file', join(out, 'r.json')]);
    const { response } = JSON.parse(readFileSync(join(out, 'r.json'), 'utf8'));
    expect(response).toMatchObject({
      object: 'run',
      run: { command: 'run', dry_run: false },
      codes: { field_type: 1, field_format: 1 },
      exit: 3,
    });
    expect(response.data.map(({ codes, run, exit }: Told) => [codes, run, exit])).toEqual([
      [{ field_type: 1 }, undefined, undefined],
      [{ field_format: 1 }, undefined, undefined],
    ]);
  });
});

describe('a problem names its column', () => {
  it('by the header of the file, whatever it was renamed to, with the value and the nearest one', async () => {
    const cwd = folder({ 'feed.csv': `sku,currency,Net price,status\nA,EUR,x,activatd\n` });
    const [, line] = await told(cwd, 'feed.csv', '--rename', 'Net price=price');
    expect(line?.problems).toEqual([
      { code: 'field_format', field: 'price', column: 'Net price', value: 'x', nearest: null },
      { code: 'field_not_allowed_value', field: 'status', column: 'status', value: 'activatd', nearest: 'activated' },
    ]);
  });

  it('of a list entry by its key or its position, unless empty cells shift the positions', async () => {
    const cwd = folder({
      'feed.csv': `sku,currency,grades[like_new].price,grades[good].price,media[0],media[1]\nA,EUR,,x,file_a,file!b\nB,EUR,y,1,,file!b\n`,
    });
    expect(origins(await told(cwd, 'feed.csv'))).toEqual([
      'grades[0].price ← grades[good].price',
      'media[1].file ← media[1]',
      'grades[0].price ← grades[like_new].price',
      'media[0].file ← null',
    ]);
  });

  it('through a mapping: the columns that the field is made of', async () => {
    const map =
      'fields:\n  sku: No\n  currency: { value: EUR }\n  price: { column: Preis, number: true }\n  stock: Lager\n';
    const cwd = folder({ 'feed.csv': 'No;Preis;Lager\nA;abc;1\nB;1;many\n', 'm.yaml': map });
    expect(origins(await told(cwd, 'feed.csv', '--map', join(cwd, 'm.yaml')))).toEqual([
      'price ← Preis',
      'stock ← Lager',
    ]);
  });

  it('of a JSON file: the member, where its name differs from the field', async () => {
    const cwd = folder({ 'feed.json': '[{"sku":"A","currency":"EUR","Preis":"x","stock":"many"}]' });
    expect(origins(await told(cwd, 'feed.json', '--rename', 'Preis=price'))).toEqual(['price ← Preis', 'stock ← null']);
  });

  it('but no column where the whole row is at fault', async () => {
    const cwd = folder({ 'feed.csv': 'sku,currency\nA,EUR,more\n' });
    expect(origins(await told(cwd, 'feed.csv'))).toEqual([' ← null']);
  });
});
