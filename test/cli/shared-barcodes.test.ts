// One barcode on two products of a file: a notice of the later one, in every report.
import { describe, expect, it } from 'vitest';
import { folder, typed } from './typed.js';

const linesOf = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const feed = `sku,currency,ean
A-1,EUR,4006381333931
A-2,EUR,96385074
A-3,EUR,4006381333931
A-1,EUR,4006381333931
A-4,WRONG,96385074
A-5,EUR,
A-6,EUR,
`;

describe('a barcode', () => {
  it.each([
    ['first import', []],
    ['plan', ['plan']],
    ['dry run', ['--dry-run']],
  ] as const)('that another product of the file has is told: %s', async (_, [word]) => {
    const cwd = folder({ 'feed.csv': feed });
    const plan = word === 'plan' ? ['plan', 'products', 'feed.csv', '--out', 'p.plan'] : ['products', 'feed.csv'];
    const more = word === '--dry-run' ? [word] : [];
    const { code, stdout } = await typed(cwd, [...plan, ...more, '--output', 'ndjson']);
    expect(code).toBe(3);
    const lines = linesOf(stdout).filter(({ notice = [] }) =>
      notice.some((one: { code: string }) => one.code === 'barcode_shared'),
    );
    expect(lines.map(({ external_id: key, line }) => [key, line])).toEqual([['A-3', 4]]);
    expect(lines[0].notice).toContainEqual({
      code: 'barcode_shared',
      field: 'ean',
      message: '"4006381333931" is the barcode of another product, too, on line 2.',
    });
    expect(linesOf(stdout).at(-1).notices.barcode_shared).toBe(1);
    if (word === 'plan') expect((await typed(cwd, ['plan', 'show', 'p.plan'])).stdout).toContain('barcode_shared');
  });

  it('is the same one in each form that its number has', async () => {
    const rows = ['036000291452', '0036000291452', '0 3600029-145 2', '00036000291452', 'none', ' none'];
    const cwd = folder({ 'feed.csv': `sku,currency,ean\n${rows.map((ean, i) => `A-${i},EUR,${ean}\n`).join('')}` });
    const { stdout } = await typed(cwd, ['products', 'feed.csv', '--output', 'ndjson']);
    expect(linesOf(stdout).at(-1).notices).toEqual({ barcode_shared: 4 });
  });

  it('is told again on the next night, when nothing changes', async () => {
    const cwd = folder({ 'feed.csv': feed });
    const night = () => typed(cwd, ['products', 'feed.csv', '--output', 'ndjson']);
    await night();
    const { stdout } = await night();
    expect(linesOf(stdout).at(-1)).toMatchObject({ unchanged: 6, notices: { barcode_shared: 1 } });
  });

  it('of a row that a later one replaces is not compared', async () => {
    const cwd = folder({ 'feed.csv': 'sku,currency,ean\nA-1,EUR,96385074\nA-2,EUR,96385074\nA-1,EUR,4006381333931\n' });
    const options = ['--on-duplicate', 'keep-last', '--output', 'ndjson'];
    const { code, stdout } = await typed(cwd, ['products', 'feed.csv', ...options]);
    expect([code, stdout.includes('superseded'), stdout.includes('barcode_shared')]).toEqual([0, true, false]);
  });
});
