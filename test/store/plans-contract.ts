// What plans promise of any store: an import that is planned and applied ends as the import itself would; what changed in
// between is left alone; a second time changes nothing.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Entry, RawEntry } from '../../src/core/entry.js';
import type { Report } from '../../src/core/import-report.js';
import type { Resource } from '../../src/core/resource.js';
import { resources } from '../../src/core/resources/index.js';
import type { ImportObserver } from '../../src/importing/observer.js';
import { runImport } from '../../src/importing/run-import.js';
import type { Chunk } from '../../src/source/open-source.js';
import { storeCatalog } from '../../src/store/catalog.js';
import { dryRunStore } from '../../src/store/dry-run-store.js';
import type { Store } from '../../src/store/store.js';
import { resourceCalled } from '../given.js';
import { sourceOf } from '../importing/given.js';
import { memoryStore } from './memory-store.js';

type Item = Readonly<Record<string, unknown>>;

/** A file: the word of its resource, and its items. */
type File = readonly [word: string, items: readonly Item[]];

const oneOf = <T>(...values: readonly T[]) => fc.constantFrom(...values);
const some = (fields: Record<string, fc.Arbitrary<unknown>>, ...requiredKeys: string[]): fc.Arbitrary<Item> =>
  fc.record(fields, { requiredKeys });

const labels = ['S', 'M', 'L'];
const status = oneOf('activated', 'suspended');
const value = some({ label: oneOf(...labels), status, position: fc.integer({ min: 0, max: 3 }) }, 'label');
const values = fc.uniqueArray(value, { maxLength: 3, selector: (entry) => String(entry['label']) });
const names = ['Home', 'Lamps', 'Desk'];

const itemsOf: Readonly<Record<string, fc.Arbitrary<Item>>> = {
  characteristics: some(
    {
      name: oneOf('Size', 'Fit'),
      unit: oneOf('cm', ''),
      values: fc.oneof(
        values,
        values.map((add) => ({ add })),
      ),
    },
    'name',
  ),
  categories: some(
    { name: oneOf(...names), parent: oneOf('', ...names), slug: oneOf('x', 'home'), description: oneOf('a', 'b') },
    'name',
  ),
  groups: some(
    {
      name: oneOf('G', 'H'),
      axes: fc
        .uniqueArray(oneOf('Size', 'Fit'), { maxLength: 2 })
        .map((all) => all.map((attribute) => ({ attribute }))),
    },
    'name',
  ),
  products: some(
    {
      sku: oneOf('P1', 'P2', 'P3', 'P4'),
      currency: fc.constant('EUR'),
      name: oneOf('Lamp', 'Chair'),
      price: oneOf('1', '2.50', '3', '-1'),
      stock: oneOf(0, 7),
      status: oneOf('activated', 'suspended', 'draft'),
      category: oneOf('', 'Nowhere', 'Home > Lamps', ...names),
      group: oneOf('', 'G'),
      grades: fc.uniqueArray(some({ grade: oneOf('new', 'good'), price: oneOf('4', '5') }, 'grade'), {
        maxLength: 2,
        selector: (entry) => String(entry['grade']),
      }),
      attributes: fc
        .uniqueArray(oneOf('Size', 'Fit'), { maxLength: 2 })
        .map((types) => types.map((type, i) => ({ type, value: ['S', 'M'][i] }))),
      media: fc
        .uniqueArray(oneOf('file_a', 'file_b'), { maxLength: 2 })
        .map((files) => files.map((file) => ({ file }))),
    },
    'sku',
    'currency',
  ),
  reviews: some(
    {
      external_id: oneOf('r1', 'r2'),
      customer_external_id: fc.constant('c1'),
      product_sku: oneOf('P1', 'P2'),
      rating: oneOf(1, 5),
      text: oneOf('good', 'bad'),
    },
    'external_id',
    'customer_external_id',
    'product_sku',
    'rating',
  ),
};

const file: fc.Arbitrary<File> = oneOf(...Object.keys(itemsOf)).chain((word) =>
  fc.array(itemsOf[word] as fc.Arbitrary<Item>, { minLength: 1, maxLength: 6 }).map((items): File => [word, items]),
);
const folder = fc.array(file, { minLength: 1, maxLength: 6 });

/** Entries as one chunk of a source. */
async function* chunkOf(entries: readonly Entry[]): AsyncGenerator<Chunk> {
  yield { entries, lines: entries.map((_, i) => i + 1) };
}

type Entries = readonly (readonly [resource: Resource, entries: readonly Entry[]])[];

function rawEntries(files: readonly File[]): Entries {
  return files.map(([word, items]) => [resourceCalled(word), items.map((item) => ({ kind: 'raw' as const, item }))]);
}

interface Imported {
  readonly reports: readonly Report[];
  /** The items that change something, as a plan holds them. */
  readonly planned: Entries;
}

/** Imports entries: at once, as a plan is made, or as one is applied. */
async function importAll(store: Store, files: Entries, plan?: 'make' | 'apply'): Promise<Imported> {
  const catalog = storeCatalog(store);
  const reports: Report[] = [];
  const planned: [Resource, RawEntry[]][] = [];
  const observer: ImportObserver = {
    begin: ({ resource }) => void planned.push([resource, []]),
    batch({ report, entries = [] }) {
      reports.push(report);
      report.data.forEach(({ planned: expected }, i) => {
        const entry = entries[i];
        if (expected === undefined || entry?.kind !== 'raw') return;
        planned.at(-1)?.[1].push({ ...entry, planned: expected });
      });
    },
  };
  const requested = files.map(([resource, entries]) => ({
    ...{ resource, source: { file: resource.command } },
    planned: { open: () => sourceOf(chunkOf(entries)), described: { file: resource.command, resource: resource.name } },
  }));
  const making = plan === 'make' ? { dryRun: true, diff: true } : {};
  const result = await runImport({ files: requested, ...making, ...(plan && { plan }) }, () => catalog, [observer]);
  if (result.failure !== undefined) throw result.failure;
  return { reports, planned };
}

/** Makes the plan of an import on a copy that is thrown away. */
async function planOf(store: Store, files: readonly File[]): Promise<Imported> {
  return importAll(dryRunStore({ ...store, close: async () => undefined }, memoryStore()), rawEntries(files), 'make');
}

/** Members that follow from other records, or from the time. */
const derived = /^(id|created_at|updated_at|unlisted|unresolved)$/;

/** Every record with its entries as text, by its name; identifiers are replaced by what they name. */
async function recordsOf(store: Store): Promise<ReadonlyMap<string, string>> {
  const catalog = storeCatalog(store);
  const called = new Map<string, string>();
  const found = new Map<string, unknown>();
  for (const resource of resources) {
    const { records } = await catalog.list(resource, { limit: 250, include: Object.keys(resource.details) });
    for (const record of records) {
      const key = String(record[resource.key]);
      called.set(String(record['id']), `${resource.name} ${key}`);
      found.set(
        `${resource.name} ${key}`,
        resource.name === 'product_review' ? { ...record, product: '', customer: '' } : record,
      );
    }
  }
  const text = (record: unknown): string =>
    JSON.stringify(record, (name, value) =>
      derived.test(name) ? undefined : typeof value === 'string' ? (called.get(value) ?? value) : value,
    );
  return new Map([...found].map(([name, record]) => [name, text(record)]));
}

/** A catalog with a customer, and what is imported first. */
async function opened(open: () => Promise<Store>, before: readonly File[]): Promise<Store> {
  const store = await open();
  await importAll(store, rawEntries([['customers', [{ external_id: 'c1' }]], ...before]));
  return store;
}

/** The names of records that differ. */
function differing(one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((name) => one.get(name) !== other.get(name)).sort();
}

function actionsOf({ reports }: Imported): string[] {
  return reports.flatMap(({ data }) => data.map(({ action, code }) => code ?? action));
}

const sizes = (...items: readonly Item[]): File => [
  'characteristics',
  items.map((item) => ({ name: 'Size', ...item })),
];
const suspended = { label: 'M', status: 'suspended' };
const activated = { label: 'M', status: 'activated' };

/** A value that was left out is added as suspended, and then the list is added to. */
const addedAfterSuspended: [File[], File[]] = [
  [sizes({ values: [{ label: 'M' }] }, { values: [] })],
  [sizes({ values: { add: [suspended] } }, { values: { add: [] } })],
];

/** A suspended value is to be activated, and is left out meanwhile. */
const leftOutMeanwhile: [File[], File[], File[]] = [
  [sizes({ values: [suspended] })],
  [sizes({ values: { add: [activated] } })],
  [sizes({ values: [] })],
];

/** A list is to be replaced, to which a suspended value is added meanwhile. */
const addedMeanwhile: [File[], File[], File[]] = [
  [sizes({})],
  [sizes({ values: [{ label: 'S' }] })],
  [sizes({ values: { add: [suspended] } })],
];

/** Runs the suite. `open` makes an empty store. */
export function plansContract(name: string, open: () => Promise<Store>, runs: number): void {
  describe(`plans on a store: ${name}`, () => {
    it('an import that is planned and applied ends as the import itself, and a second time changes nothing', async () => {
      await fc.assert(
        fc.asyncProperty(folder, folder, async (before, files) => {
          const [straight, planned] = [await opened(open, before), await opened(open, before)];
          const stored = await recordsOf(planned);
          const plan = await planOf(planned, files);
          expect(differing(await recordsOf(planned), stored)).toEqual([]);
          await importAll(straight, rawEntries(files));
          const applied = await importAll(planned, plan.planned, 'apply');
          expect(actionsOf(applied).filter((action) => !['created', 'updated', 'unchanged'].includes(action))).toEqual(
            [],
          );
          expect(differing(await recordsOf(planned), await recordsOf(straight))).toEqual([]);
          // Of a record that several items are about, only the ledger knows that they were applied.
          const once = await recordsOf(planned);
          const single = onceTouched(plan);
          await importAll(planned, plan.planned, 'apply');
          expect(differing(await recordsOf(planned), once).filter((record) => single.has(record))).toEqual([]);
          await Promise.all([straight.close(), planned.close()]);
        }),
        { numRuns: runs, examples: [addedAfterSuspended] },
      );
    });

    it('a value that changed since is left as it is, and what the plan does not touch, too', async () => {
      await fc.assert(
        fc.asyncProperty(folder, folder, folder, async (before, files, meanwhile) => {
          const store = await opened(open, before);
          const plan = await planOf(store, files);
          const [touched, single] = [touchedBy(plan), onceTouched(plan)];
          const stored = await recordsOf(store);
          await importAll(store, rawEntries(meanwhile));
          const changed = await recordsOf(store);
          await importAll(store, plan.planned, 'apply');
          const now = await recordsOf(store);
          for (const record of differing(changed, now)) {
            expect(touched).toContain(record);
            // Somebody else may have done what the first of several items about a record would.
            if (!single.has(record)) continue;
            const [planned, found, left] = [stored, changed, now].map((records) => valuesOf(records.get(record))) as [
              Values,
              Values,
              Values,
            ];
            const since = differing(planned, found);
            // Of an entry that is listed only before or only after it, it is this that differs.
            const overwritten = differing(found, left).filter(
              (value) => value.endsWith('.listed') || (found.has(value) && left.has(value)),
            );
            expect(overwritten.filter((value) => since.includes(value))).toEqual([]);
          }
          await store.close();
        }),
        { numRuns: runs, examples: [leftOutMeanwhile, addedMeanwhile] },
      );
    });
  });
}

type Values = ReadonlyMap<string, string>;

/** What an entry of a list is recognized by. */
const entryKeys = ['label', 'grade', 'file', 'characteristic', 'attribute', 'type'];

/** Every value of a record, and of the entries of its lists, by its path; of an entry also that it is `listed`. */
function valuesOf(text: string | undefined): Values {
  const values = new Map<string, string>();
  const add = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return void values.set(path, JSON.stringify(value));
    for (const [name, member] of Object.entries(value)) {
      const key = Array.isArray(value)
        ? entryKeys.map((one) => Object(member)[one]).find((one) => one !== undefined)
        : name;
      if (Array.isArray(value)) values.set(`${path}.${String(key ?? name)}.listed`, 'true');
      add(`${path}.${String(key ?? name)}`, member);
    }
  };
  if (text !== undefined) add('', JSON.parse(text));
  return values;
}

/** The names of the records that a plan is about, of each item one. */
function touchedBy({ planned }: Imported): string[] {
  return planned.flatMap(([resource, entries]) => entries.map((entry) => keyOf(resource, entry)));
}

/** The names of records that one item of a plan is about. */
function onceTouched(plan: Imported): ReadonlySet<string> {
  const touched = touchedBy(plan);
  return new Set(touched.filter((one) => touched.indexOf(one) === touched.lastIndexOf(one)));
}

/** What an entry's record is called in `recordsOf`. */
function keyOf(resource: Resource, entry: Entry): string {
  const key = entry.kind === 'raw' ? resource.externalId(entry.item as Item) : '';
  return `${resource.name} ${key}`;
}
