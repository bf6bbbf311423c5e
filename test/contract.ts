// What every catalog does, local or at the other end of a wire. One suite of behaviours; each implementation runs it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalog, ImportOptions } from '../src/core/catalog.js';
import { unreadableEntry } from '../src/core/entry.js';
import type { Line, Report } from '../src/core/import-report.js';
import type { Resource } from '../src/core/resource.js';
import { findResource } from '../src/core/resources/index.js';
import { batchOf } from './entries.js';

/** A catalog to try, and a second view of the same records that is known to be right. */
export interface Tried {
  readonly catalog: Catalog;
  readonly local: Catalog;
  close(): Promise<void>;
}

function resourceOf(word: string): Resource {
  const resource = findResource(word);
  if (resource === undefined) throw new Error(`no resource is called ${word}`);
  return resource;
}

/** Imports batches and gathers the reports. */
export async function importAll(
  catalog: Catalog,
  word: string,
  batches: readonly (readonly unknown[])[],
  options: ImportOptions = {},
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for await (const report of catalog.importBatches(resourceOf(word), batches.map(batchOf), options))
    reports.push(report);
  return reports;
}

/** The lines of several reports. */
export function linesOf(reports: readonly Report[]): readonly Line[] {
  return reports.flatMap(({ data }) => data);
}

const actions = (reports: readonly Report[]): string[] => linesOf(reports).map(({ action }) => action);

/** Runs the suite. `open` makes an empty catalog. */
export function catalogContract(name: string, open: () => Promise<Tried>): void {
  describe(`a catalog: ${name}`, () => {
    let tried: Tried;
    beforeAll(async () => {
      tried = await open();
    });
    afterAll(() => tried.close());
    const send = (word: string, ...batches: readonly (readonly unknown[])[]) => importAll(tried.catalog, word, batches);

    it('creates what is new, corrects what differs, and leaves what is the same', async () => {
      const item = { sku: 'A-1', currency: 'EUR', name: 'Lamp', price: '12.50' };
      expect(actions(await send('product', [item]))).toEqual(['created']);
      expect(actions(await send('product', [item]))).toEqual(['unchanged']);
      expect(actions(await send('product', [{ sku: 'A-1', price: 9 }]))).toEqual(['updated']);
      expect(await tried.catalog.read(resourceOf('product'), { key: 'A-1' })).toMatchObject({
        name: 'Lamp',
        price: '9.00',
      });
    });

    it('finds no record by a key or identifier that none can have', async () => {
      for (const text of ['\0', 'a\0b', '\ufffd', 'x'.repeat(8000)])
        for (const name of ['product', 'category'])
          for (const selector of [{ key: text }, { id: text }])
            expect(await tried.catalog.read(resourceOf(name), selector)).toBeUndefined();
      const after = tried.catalog.list(resourceOf('product'), { limit: 1, after: 'a\0b' });
      await expect(after).rejects.toMatchObject({ name: 'CatalogError' });
    });

    it('reads what include adds in the form in which it can be sent back', async () => {
      const characteristics = [
        { name: 'Size', values: [{ label: 'S' }, { label: 'L', status: 'suspended' }, { label: 'XL' }] },
        { name: 'Material' },
      ];
      await send('characteristic', characteristics);
      await send('category', [{ name: 'Bags' }, { name: 'Rucksacks', parent: 'Bags' }]);
      await send('group', [{ name: 'Bag', axes: [{ attribute: 'Size' }, { source: 'grade' }] }]);
      await send('group', [{ name: 'Bag', axes: [{ attribute: 'Size' }] }]);
      const read = async (word: string, key: string, ...include: string[]) =>
        (await tried.catalog.read(resourceOf(word), { key }, include)) as Record<string, unknown>;
      const [category, group] = [await read('category', 'Bags'), await read('group', 'Bag')];
      const item = {
        sku: 'BAG-1',
        currency: 'EUR',
        category: category['id'],
        group: group['id'],
        grades: [
          { grade: 'poor', stock: 2, status: 'suspended' },
          { grade: 'new', price: '9.50', stock: 1 },
        ],
        attributes: [
          { type: 'Material', value: 'felt', unit: 'mm', position: 2 },
          { type: 'size', value: 's', position: 1 },
        ],
        media: [{ file: 'file_b' }, { file: 'file_a', is_main: true }],
      };
      await send('product', [item]);
      const plain = await read('product', 'BAG-1');
      const whole = await read('product', 'BAG-1', 'names', 'grades', 'attributes', 'media');
      const size = (await read('characteristic', 'Size'))['id'];
      const material = (await read('characteristic', 'Material'))['id'];
      expect(whole).toEqual({
        ...plain,
        category_name: 'Bags',
        group_name: 'Bag',
        grades: [
          { grade: 'new', price: '9.50', stock: 1, status: 'activated' },
          { grade: 'poor', price: '', stock: 2, status: 'suspended' },
        ],
        attributes: [
          { type: size, type_name: 'Size', value: 'S', unit: '', position: 1, unlisted: false },
          { type: material, type_name: 'Material', value: 'felt', unit: 'mm', position: 2, unlisted: false },
        ],
        media: [
          { file: 'file_b', is_main: false, position: 0 },
          { file: 'file_a', is_main: true, position: 1 },
        ],
      });
      expect(actions(await send('product', [whole]))).toEqual(['unchanged']);
      expect(await read('category', 'Rucksacks', 'names')).toMatchObject({ parent_name: 'Bags' });
      const labels = async (...include: string[]) =>
        ((await read('characteristic', 'Size', ...include))['values'] as { label: string }[]).map(({ label }) => label);
      expect([await labels(), await labels('values')]).toEqual([
        ['S', 'XL'],
        ['S', 'L', 'XL'],
      ]);
      expect((await read('group', 'Bag', 'axes'))['axes']).toMatchObject([{ attribute: size, attribute_name: 'Size' }]);
    });

    it('lists every record once, page by page, and those that changed since a time', async () => {
      const skus = Array.from({ length: 7 }, (_, i) => `LIST-${i}`);
      await send(
        'product',
        skus.map((sku) => ({ sku, currency: 'EUR' })),
      );
      for (const limit of [1, 3, 250]) {
        const listed: unknown[] = [];
        for (let after: string | undefined, ended = false; !ended; ) {
          const page = await tried.catalog.list(resourceOf('product'), {
            limit,
            ...(after && { after }),
            include: ['grades'],
          });
          expect(page.records.length).toBeLessThanOrEqual(limit);
          listed.push(...page.records);
          after = page.next;
          ended = after === undefined;
        }
        const ours = (listed as { sku: string }[]).filter(({ sku }) => sku.startsWith('LIST-'));
        expect(ours.map(({ sku }) => sku).sort()).toEqual(skus);
        expect(ours[0]).toMatchObject({ object: 'product', grades: [] });
      }
      const none = await tried.catalog.list(resourceOf('product'), { limit: 5, updatedSince: 253_402_300_799 });
      expect(none).toEqual({ records: [], next: undefined });
      const some = await tried.catalog.list(resourceOf('product'), { limit: 5, updatedSince: 1 });
      expect(some.records).toHaveLength(5);
    });

    it('lists every record once while names change and others come, each with the name it has then', async () => {
      const skus = Array.from({ length: 9 }, (_, i) => `TURN-${i}`);
      const named = (turn: number, list: readonly string[]) =>
        list.map((sku) => ({ sku, currency: 'EUR', name: `Turn ${turn}`, slug: `turn-${turn}-${sku}` }));
      await send('product', named(0, skus));
      const listed: { readonly sku: string; readonly name: string }[] = [];
      for (let after: string | undefined, turn = 0, ended = false; !ended; turn++) {
        const page = await tried.catalog.list(resourceOf('product'), { limit: 2, ...(after && { after }) });
        const ours = (page.records as unknown as typeof listed).filter(({ sku }) => sku.startsWith('TURN-'));
        for (const { sku, name } of ours) if (skus.includes(sku)) expect(name).toBe(`Turn ${turn}`);
        listed.push(...ours);
        after = page.next;
        ended = after === undefined || turn > 100;
        await send('product', named(turn + 1, skus), turn < 3 ? named(turn + 1, [`TURN-LATE-${turn}`]) : []);
      }
      expect(
        listed
          .map(({ sku }) => sku)
          .filter((sku) => !sku.includes('LATE'))
          .sort(),
      ).toEqual(skus);
      expect(new Set(listed.map(({ sku }) => sku)).size).toBe(listed.length);
    });

    it('yields one report a batch, in order, with lines that carry their index and counts that balance', async () => {
      const batches = Array.from({ length: 9 }, (_, b) =>
        Array.from({ length: b + 1 }, (_, i) => ({ sku: `B-${b}-${i}`, currency: 'EUR' })),
      );
      const reports = await send('product', ...batches);
      expect(reports.map(({ total }) => total)).toEqual(batches.map(({ length }) => length));
      for (const [b, report] of reports.entries()) {
        expect(report).toMatchObject({
          object: 'list',
          resource: 'product',
          dry_run: false,
          created: b + 1,
          refused: 0,
        });
        expect(report.data.map(({ index }) => index)).toEqual(report.data.map((_, i) => i));
        expect(report.data.map(({ external_id }) => external_id)).toEqual(batches[b]?.map(({ sku }) => sku));
      }
    });

    it('an empty batch is a report of zeros, and no batch is not a report', async () => {
      expect(await send('category', [])).toMatchObject([{ total: 0, data: [] }]);
      expect(await send('category')).toEqual([]);
    });

    it('a refused item changes nothing, stops nothing, and has a reason', async () => {
      const [report] = await send('product', [
        { sku: 'C-1', currency: 'EUR', price: '1' },
        { sku: 'C-2', currency: 'EUR', price: '12,50' },
        { sku: 'C-3', currency: 'EUR', category: 'cate_nowhere' },
        { sku: 'C-4', currency: 'EUR', price: '2' },
      ]);
      expect(report?.data.map(({ action, code }) => [action, code])).toEqual([
        ['created', null],
        ['refused', 'field_format'],
        ['refused', 'reference_not_found'],
        ['created', null],
      ]);
      expect(report?.data[1]?.reason).toContain('price: "12,50" is not a number');
      expect(await tried.catalog.read(resourceOf('product'), { key: 'C-2' })).toBeUndefined();
      expect(await tried.catalog.read(resourceOf('product'), { key: 'C-4' })).toMatchObject({ price: '2.00' });
    });

    it('a record that its source could not read takes its place and is refused with the words it carries', async () => {
      const problem = { code: 'row_shape', field: '', message: 'has 3 cells; the header has 2' } as const;
      const [report] = await send('product', [
        { sku: 'D-1', currency: 'EUR' },
        unreadableEntry(problem, 'D-2'),
        { sku: 'D-3', currency: 'EUR' },
      ]);
      expect(report?.data.map(({ index, external_id, action }) => [index, external_id, action])).toEqual([
        [0, 'D-1', 'created'],
        [1, 'D-2', 'refused'],
        [2, 'D-3', 'created'],
      ]);
      expect(report?.data[1]).toMatchObject({ code: 'row_shape', reason: problem.message, id: null });
    });

    it('every problem of an item is reported at once, and an unknown field never vanishes', async () => {
      const [report] = await send('product', [
        { sku: 'E-1', currency: 'EUR', price: -1, stock: 'many', colour: 'red' },
        { sku: 'E-2', currency: 'EUR', colour: 'red' },
      ]);
      expect(report?.data[0]?.code).toBe('field_out_of_range');
      expect(report?.data[0]?.notice.map(({ code, field }) => [code, field])).toEqual([
        ['field_type', 'stock'],
        ['field_ignored', 'colour'],
      ]);
      expect(report?.data[1]).toMatchObject({
        action: 'created',
        notice: [{ code: 'field_ignored', field: 'colour' }],
      });
    });

    it('names the earlier item where one repeats it, whatever was refused between them', async () => {
      const [report] = await send('product', [
        { sku: 'F-0', currency: 'nothing' },
        { sku: 'F-1', currency: 'EUR' },
        { sku: 'F-1', price: 'x' },
        { sku: 'F-1', price: '3' },
      ]);
      expect(report?.data.map(({ action }) => action)).toEqual(['refused', 'created', 'refused', 'updated']);
      expect(report?.data[3]?.notice).toEqual([
        {
          code: 'repeated_in_batch',
          field: 'sku',
          message: 'The same record is item 1 of this batch; this one was applied on top of it.',
        },
      ]);
    });

    it('refuses a review that repeats one of its batch, also when the first was refused', async () => {
      const review = { external_id: 'r', customer_external_id: 'nobody', product_sku: 'A-1', rating: 5 };
      const [report] = await send('review', [{ ...review, rating: 6 }, review, { ...review, external_id: 's' }]);
      expect(report?.data.map(({ code }) => code)).toEqual([
        'field_out_of_range',
        'duplicate_in_batch',
        'customer_not_found',
      ]);
      expect(report?.data[1]?.reason).toContain('"r" is item 0 of this batch already.');
    });

    it('parents sent before their children are found, in the same batch or an earlier one', async () => {
      const reports = await send(
        'category',
        [{ name: 'Home' }, { name: 'Kitchen', parent: 'home' }],
        [{ name: 'Pans', parent: 'Kitchen' }],
        [{ name: 'Lids', parent: 'PANS' }],
        [{ name: 'home', parent: 'Lids' }],
      );
      expect(actions(reports)).toEqual(['created', 'created', 'created', 'created', 'refused']);
      expect(linesOf(reports).at(-1)?.code).toBe('category_parent_cycle');
      const pans = await tried.catalog.read(resourceOf('category'), { key: 'pans' });
      const lids = await tried.catalog.read(resourceOf('category'), { key: 'lids' });
      expect(lids?.['parent']).toBe(pans?.['id']);
    });

    it('batches that touch the same record are applied in their order', async () => {
      const batches = Array.from({ length: 12 }, (_, i) => [
        { sku: 'G-1', currency: 'EUR', stock: i },
        { sku: `G-other-${i}`, currency: 'EUR' },
      ]);
      const reports = await send('product', ...batches);
      expect(reports.map(({ data }) => data[0]?.action)).toEqual(['created', ...Array(11).fill('updated')]);
      expect(await tried.catalog.read(resourceOf('product'), { key: 'G-1' })).toMatchObject({ stock: 11 });
    });

    it('slugs of the same name are numbered in the order of the file', async () => {
      const batches = Array.from({ length: 10 }, (_, i) => [{ sku: `H-${i}`, currency: 'EUR', name: 'T-Shirt' }]);
      await send('product', ...batches);
      const slugs = await Promise.all(
        batches.map(
          async ([item]) => (await tried.local.read(resourceOf('product'), { key: item?.sku ?? '' }))?.['slug'],
        ),
      );
      expect(slugs).toEqual(['t-shirt', ...Array.from({ length: 9 }, (_, i) => `t-shirt-${i + 2}`)]);
    });

    it('a dry run writes nothing and reports what would happen', async () => {
      const [report] = await importAll(
        tried.catalog,
        'product',
        [
          [
            { sku: 'I-1', currency: 'EUR' },
            { sku: 'A-1', price: 1 },
          ],
        ],
        {
          dryRun: true,
        },
      );
      expect(report).toMatchObject({ dry_run: true, created: 1, updated: 1 });
      expect(report?.data[0]?.id).toBeNull();
      expect(await tried.local.read(resourceOf('product'), { key: 'I-1' })).toBeUndefined();
    });

    it('lists each changed field if a diff is requested', async () => {
      await send('product', [{ sku: 'J-1', currency: 'EUR', price: '10' }]);
      const [report] = await importAll(tried.catalog, 'product', [[{ sku: 'J-1', price: '12' }, { sku: 'J-2' }]], {
        diff: true,
      });
      expect(report?.data[0]?.changes).toEqual([{ field: 'price', from: '10.00', to: '12.00' }]);
      expect(report?.data[1]).toMatchObject({ action: 'refused', changes: [] });
    });

    it('the batch that accept refuses is not applied, nor what follows it', async () => {
      const asked: number[] = [];
      const batches = Array.from({ length: 8 }, (_, i) => [
        { sku: `K-${i}`, currency: 'EUR' },
        { sku: `K-bad-${i}`, currency: i > 2 ? 'none' : 'EUR' },
      ]);
      const reports = await importAll(tried.catalog, 'product', batches, {
        accept(report) {
          asked.push(report.refused);
          return report.refused === 0;
        },
      });
      expect(reports).toHaveLength(3);
      expect(asked).toEqual([0, 0, 0, 1]);
      expect(await tried.local.read(resourceOf('product'), { key: 'K-2' })).toBeDefined();
      for (const i of [3, 4, 5, 6, 7])
        expect(await tried.local.read(resourceOf('product'), { key: `K-${i}` })).toBeUndefined();
    });

    it('reads by key and by identifier, and gives undefined where there is nothing', async () => {
      const byKey = await tried.catalog.read(resourceOf('category'), { key: 'home' });
      expect(byKey).toEqual(await tried.local.read(resourceOf('category'), { key: 'home' }));
      expect(await tried.catalog.read(resourceOf('category'), { id: String(byKey?.['id']) })).toEqual(byKey);
      expect(await tried.catalog.read(resourceOf('category'), { key: 'Nirgends & überall?' })).toBeUndefined();
      expect(await tried.catalog.read(resourceOf('category'), { id: 'cate_none' })).toBeUndefined();
    });
  });
}
