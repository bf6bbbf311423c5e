// Thousands of refused lines are a table by code and column, and a new record is one line of a diff.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folder, typedHere } from '../cli/typed.js';

it('counts refused lines by code and column, each with its first lines', async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => `A${i},EUR,${i % 2 === 0 ? 1 : 'x'},${i % 3 === 0 ? 'n' : 2}`);
  const cwd = folder({ 'a.csv': `Art,currency,Preis,stock\n${rows.join('\n')}\n` });
  const named = ['--rename', 'Art=sku', '--rename', 'Preis=price', '--db', join(cwd, 'c.db')];
  const { stdout } = await typedHere(['products', join(cwd, 'a.csv'), ...named]);
  expect(stdout).toContain('Refused, by code and column:');
  expect(stdout).toMatch(/ 2,500 {2}field_format +Preis: Wrong format +3, 5, 7 …/);
  expect(stdout).toMatch(/ 834 {2}field_type +stock: Wrong type +2, 8, 14 …/);
  expect(stdout.split('\n').length).toBeLessThan(60);
});

it('shows a new record of a diff on one line', async () => {
  const cwd = folder({ 'a.csv': 'sku,currency,name,price\nA,EUR,Tea,9.50\n' });
  const options = ['--dry-run', '--diff', '--report', 'all', '--db', join(cwd, 'c.db')];
  const { stdout } = await typedHere(['products', join(cwd, 'a.csv'), ...options]);
  expect(stdout).toMatch(/^ +2 +A +created +new$/m);
});
