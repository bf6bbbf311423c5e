// The changes of entries: of those that are listed no more, where they looked the same before, and of new records.
import { expect, it } from 'vitest';
import { given } from '../../given.js';

const listing = (...labels: string[]) => ({ name: 'Size', values: labels.map((label) => ({ label })) });

it.each([
  ['suspended by hand', 'suspended'],
  ['active', 'activated'],
])('an entry that was %s and is left out', (_, status) => {
  const catalog = given().has('characteristics', { name: 'Size', values: [{ label: 'S', status }, { label: 'M' }] });
  const line = catalog.line('characteristics', listing('M'), { diff: true });
  expect(line.action).toBe('updated');
  expect(line.changes).toContainEqual(
    status === 'suspended'
      ? { field: 'values[S].listed', from: true, to: false }
      : { field: 'values[S].status', from: 'activated', to: 'suspended' },
  );
  expect(catalog.line('characteristics', listing('M'), { diff: true })).toMatchObject({ action: 'unchanged' });
});

it('the changes of a new record have each member that any of its entries was sent with', () => {
  const values = [{ label: 'S', description: 'small' }, { label: 'M' }];
  const { changes } = given().line('characteristics', { name: 'Size', values }, { diff: true });
  expect(changes).toContainEqual({ field: 'values[S].description', from: null, to: 'small' });
  expect(changes?.map(({ field }) => field)).not.toContain('values[S].position');
});
