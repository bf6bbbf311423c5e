// What was noticed about a run is data: it is in every report, in `runs show`, in the status file, and may decide the exit code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { explain } from '../../src/core/diagnostics/explain-code.js';
import { warnings } from '../../src/core/diagnostics/warning-codes.js';
import { folder, products, typedHere } from './typed.js';

const reports = ['ndjson', 'json', 'csv'] as const;

/** A feed that reads the same file in each of its runs. */
function sameFile() {
  const path = folder({ 'a.csv': products(3) });
  const at = (name: string) => join(path, name);
  const run = (...args: string[]) => typedHere([...args, '--db', at('shop.db')]);
  const written = reports.flatMap((form) => ['--report-file', at(`r.${form}`)]);
  return {
    at,
    run,
    night: (...args: string[]) => run('products', at('a.csv'), '--feed', 'erp', ...args),
    /** A night with a report in every form, and a status file. */
    reported: (...args: string[]) =>
      run('products', at('a.csv'), '--feed', 'erp', ...written, '--status-file', at('s.prom'), ...args),
    report: (form: (typeof reports)[number]): string => readFileSync(at(`r.${form}`), 'utf8'),
  };
}

describe('a warning', () => {
  it('is in every form of report with its code, its words and its figures', async () => {
    const erp = sameFile();
    await erp.night();
    const { stdout, stderr } = await erp.reported('--output', 'ndjson');
    const message = `${erp.at('a.csv')}: the same file as run 1.`;
    const params = { feed: 'erp', file: erp.at('a.csv'), run: 1, undone: false };
    const expected = [{ code: 'file_repeated', message, params }];
    expect(stderr).toContain(`warning file_repeated: ${message}\n`);
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').warnings).toEqual(expected);
    expect(JSON.parse(erp.report('ndjson').trim().split('\n').at(-1) ?? '').warnings).toEqual(expected);
    expect(JSON.parse(erp.report('json')).response.warnings).toEqual(expected);
    const rows: readonly Record<string, string>[] = parse(erp.report('csv'), { columns: true });
    expect(rows.at(-1)).toMatchObject({ action: 'warning', code: 'file_repeated', reason: message });
  });

  it('is in `runs show`, in the status file, and explained by its code', async () => {
    const erp = sameFile();
    await erp.night();
    await erp.reported();
    const shown = await erp.run('runs', 'show', '2');
    expect(shown.stdout).toContain('warning file_repeated: ');
    const { stdout } = await erp.run('runs', 'show', '2', '--output', 'json');
    expect(JSON.parse(stdout).warnings).toMatchObject([{ code: 'file_repeated', params: { run: 1 } }]);
    const status = readFileSync(erp.at('s.prom'), 'utf8');
    expect(status).toContain('catalog_import_warnings{feed="erp",code="file_repeated"} 1\n');
    const explained = await typedHere(['explain', 'file_repeated']);
    expect(explained.stdout).toContain('A warning about the run as a whole.');
  });

  it('changes no exit code, except with --fail-on its code or any', async () => {
    const erp = sameFile();
    await erp.night();
    expect((await erp.night()).code).toBe(0);
    const { code, stdout } = await erp.night('--fail-on', 'column_vanished,file_repeated', '--output', 'ndjson');
    expect([code, JSON.parse(stdout.trim().split('\n').at(-1) ?? '').exit]).toEqual([3, 3]);
    expect((await erp.night('--fail-on', 'column_vanished')).code).toBe(0);
    expect((await erp.night('--fail-on', 'warnings')).code).toBe(3);
    expect(JSON.parse((await erp.run('runs', 'show', '5', '--output', 'json')).stdout).exit).toBe(3);
    const wrong = await erp.night('--fail-on', 'file_repeted');
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean file_repeated?')]);
  });

  it('of a file as in the last run is no warning where another file of the run changed', async () => {
    const path = folder({ 'a.csv': products(3), 'b.csv': 'sku,currency,price\nZ,EUR,1\n' });
    const [a, b] = [join(path, 'a.csv'), join(path, 'b.csv')];
    const night = async () => {
      const args = ['products', a, b, '--feed', 'erp', '--output', 'ndjson', '--db', join(path, 'shop.db')];
      const { stdout } = await typedHere(args);
      const { warnings = [] } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
      return warnings.map(({ code, params }: { code: string; params: { file: string; run: number } }) => [
        code,
        params.file,
        params.run,
      ]);
    };
    await night();
    writeFileSync(b, 'sku,currency,price\nZ,EUR,1.10\n');
    expect(await night()).toEqual([]);
    expect(await night()).toEqual([
      ['file_repeated', a, 2],
      ['file_repeated', b, 2],
    ]);
    // That of the week before is an old one, whatever else changed.
    writeFileSync(b, 'sku,currency,price\nZ,EUR,1\n');
    expect(await night()).toEqual([['file_repeated', b, 1]]);
  });

  it('of ordinary runs fails none with --fail-on warnings', async () => {
    const erp = sameFile();
    await erp.night();
    writeFileSync(erp.at('a.csv'), products(2));
    const { code, stderr } = await erp.night('--fail-on', 'warnings', '--max-missing', 'off');
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('note records_missing: erp: 1 record no longer listed'),
    ]);
  });

  it('is printed with --quiet where anything is printed, and else not', async () => {
    const erp = sameFile();
    await erp.night();
    expect(await erp.night('--quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' });
    const failed = await erp.night('--quiet', '--fail-on', 'warnings');
    expect(failed.code).toBe(3);
    expect(failed.stderr).toMatch(/^warning file_repeated: .*: the same file as run 2\.\n$/);
    expect(failed.stdout).toContain('3 unchanged');
  });

  it('tells what a reader guessed or skipped of a file, with a code', async () => {
    const path = folder({
      'feed.csv': 'Price list of May\n\nsku,currency,price\nA,EUR,1\nsku,currency,price\nB,EUR,2\n',
    });
    const map = join(path, 'map.yaml');
    writeFileSync(
      map,
      'to: products\nread: { skip: 2 }\nfields: { sku: sku, currency: currency, price: {column: price, number: {}} }\n',
    );
    const args = ['products', join(path, 'feed.csv'), '--map', map, '--db', join(path, 'c.db'), '--output', 'ndjson'];
    const { stdout, stderr } = await typedHere(args);
    const { warnings: noticed } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(noticed.map(({ code }: { code: string }) => code)).toContain('rows_skipped');
    expect(stderr).toContain('note rows_skipped: ');
    expect((await typedHere([...args, '--fail-on', 'rows_skipped'])).code).toBe(3);
  });

  it('is declared once: title, meaning and remedy of every code are sentences', () => {
    for (const code of Object.keys(warnings)) {
      const { title, meaning, remedy } = explain(code) ?? { title: '', meaning: '', remedy: '' };
      expect([code, title, meaning, remedy]).toEqual([
        code,
        expect.stringMatching(/^[A-Z]/),
        expect.stringMatching(/\.$/),
        expect.stringMatching(/\.$/),
      ]);
    }
  });
});
