// What an item of a plan expects to replace.
import { expect, it } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { imported } from '../../store/given.js';
import { memoryStore } from '../../store/memory-store.js';

it('is of a reference the key of its record, and of a text that only looks like an identifier the text', async () => {
  const catalog = storeCatalog(memoryStore());
  const before = { name: 'Lamps', description: 'cate_x', parent: 'Home' };
  await imported(catalog, 'categories', [{ name: 'Home' }, { name: 'Desk' }, before]);
  const item = { name: 'Lamps', description: 'for the desk', parent: 'Desk' };
  const [report] = await imported(catalog, 'categories', [item], { diff: true, plan: 'make', dryRun: true });
  expect(report?.data[0]?.planned).toEqual({ expect: { description: 'cate_x', parent: 'Home' } });
});
