// A chain of categories that is deeper than imports make it (an older program did): it stays readable, its ancestors are
// loaded at once, and what concerns it costs time linear in its levels.
import { describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/store/open.js';
import { resourceCalled } from '../given.js';
import { openRaw } from '../proof/dump.js';
import { allowed } from '../tier.js';
import { imported, newDatabase } from './given.js';

const levels = 10_000;
const idOf = (level: number) => `cate_${String(level).padStart(8, '0')}`;

/** A catalog with categories c0 to c9999, each below the one before. */
async function deepCatalog(name: string) {
  const { file, database } = await newDatabase(name);
  database.close();
  const raw = openRaw(file);
  const columns = `slug_hash, id, key, name, parent, description, position, status, slug, seo_title, seo_description, reference, created_at, updated_at`;
  const insert = raw.prepare(
    `INSERT INTO category (${columns}) VALUES (?, ?, ?, ?, ?, '', 0, 'activated', ?, '', '', '', 1, 1)`,
  );
  raw.transaction(() => {
    for (let i = 0; i < levels; i++)
      insert.run(i, idOf(i), `c${i}`, `c${i}`, i === 0 ? null : idOf(i - 1), `slug-of-c${i}`);
  })();
  raw.close();
  return { file, catalog: await openCatalog({ file, create: false }) };
}

describe('a stored chain of 10,000 levels', () => {
  it('stays readable, can be imported as it is, moved and taken apart, in seconds', async () => {
    const { catalog } = await deepCatalog('deep.db');
    const category = resourceCalled('category');
    const lines = async (...items: object[]) => {
      const [report] = await imported(catalog, 'category', items);
      return report?.data.map(({ code, action }) => code ?? action);
    };
    const began = process.cpuUsage();
    expect(await catalog.read(category, { key: 'c9999' })).toMatchObject({ parent: idOf(9998) });
    expect(await lines({ name: 'c9999', parent: 'c9998', description: 'x' })).toEqual(['updated']);
    expect(await lines({ name: 'new', parent: 'c9999' }, { name: 'c5000', parent: 'c9998' })).toEqual([
      'category_too_deep',
      'category_parent_cycle',
    ]);
    expect(await lines({ name: 'c9950', parent: 'c40' }, { name: 'c9000', parent: '' })).toEqual([
      'updated',
      'updated',
    ]);
    const batch = Array.from({ length: 50 }, (_, i) => ({ name: `n${i}`, parent: `c${8999 - i}` }));
    expect(new Set(await lines(...batch))).toEqual(new Set(['category_too_deep']));
    const { user, system } = process.cpuUsage(began);
    expect((user + system) / 1e6).toBeLessThan(allowed(15));
    await catalog.close();
  });

  it('a dry run reports the same, over transactions too', async () => {
    const { file, catalog } = await deepCatalog('deep-dry.db');
    await catalog.close();
    const dry = await openCatalog({ file, create: false, scratch: true });
    const moves = [
      { name: 'c9950', parent: '' },
      { name: 'c9999', parent: 'c9998' },
      { name: 'a', parent: 'c9999' },
    ];
    const told: (string | null)[] = [];
    for (const item of [
      ...moves,
      ...Array.from({ length: 50 }, (_, i) => ({ name: `b${i}`, parent: i === 0 ? 'a' : `b${i - 1}` })),
    ]) {
      const [report] = await imported(dry, 'category', [item], { dryRun: true });
      told.push(...(report?.data.map(({ code, action }) => code ?? action) ?? []));
    }
    // c9950 to c9999 are 50 levels now, a is the 51st: 49 more fit.
    expect(told.slice(0, 3)).toEqual(['updated', 'unchanged', 'created']);
    expect(told.slice(3)).toEqual([...Array.from({ length: 49 }, () => 'created'), 'category_too_deep']);
    await dry.close();
  });
});
