// The smallest catalog there is: rows in maps, driven like any store. Tests of the rules build a state with it, send
// items as plain objects and look at lines, read shapes and rows. A clock that ticks once an import, and identifiers
// that count, make what happens repeatable.
import anyAscii from 'any-ascii';
import { iso6393 } from 'iso-639-3';
import type { Line, ReadShape, Report } from '../src/core/import-report.js';
import { planProductDeletion } from '../src/core/planning/delete-product.js';
import type { Environment, ImportMode } from '../src/core/planning/item-task.js';
import { planBatches } from '../src/core/planning/plan-batches.js';
import { sentReport } from '../src/core/report-counts.js';
import type { Resource } from '../src/core/resource.js';
import { findResource, shopResources } from '../src/core/resources/index.js';
import { newDraft } from '../src/core/rows/draft.js';
import type { DraftSource } from '../src/core/rows/draft-state.js';
import { provisionalIds } from '../src/core/rows/provisional-id.js';
import { type Draft, keyParts, type Pending, type SavedRows } from '../src/core/rows/snapshot.js';
import type { Row, Table } from '../src/core/rows/table.js';
import { slugifier } from '../src/store/slugifier.js';
import { batchOf } from './entries.js';

export type Item = Record<string, unknown>;

/** A catalog in memory and what a test does with it. */
export interface Given {
  /** Imports one batch and reports. `resource` is any word the resource is known by, also a kind of the shop. */
  send(resource: string, items: readonly unknown[], mode?: Partial<ImportMode>): Report;
  /** Imports several batches in one transaction. */
  sendBatches(
    resource: string,
    batches: readonly (readonly unknown[])[],
    mode?: Partial<ImportMode>,
  ): readonly Report[];
  /** Imports one item and gives its line. */
  line(resource: string, item: unknown, mode?: Partial<ImportMode>): Line;
  /** Imports items; the test fails if any is refused. */
  has(resource: string, ...items: readonly Item[]): Given;
  /** The record in its read shape; fails where there is none. */
  read(resource: string, key: string): ReadShape;
  /** The record as a GET finds it, by key or identifier. */
  find(resource: string, selector: { readonly key: string } | { readonly id: string }): ReadShape | undefined;
  /** The record's identifier. */
  id(resource: string, key: string): string;
  /** Everything stored, each table in the order of its identifiers, for comparing before with after. */
  rows(): Readonly<Record<string, readonly Row[]>>;
  /** The rows of one table by its name. */
  table(name: string): readonly Row[];
  /** What the shop's workspace does: the product's status becomes deleted. False where there is none. */
  deleteProduct(sku: string): boolean;
  /** A catalog with the same rows, which goes its own way. */
  copy(): Given;
}

const languages = new Set(iso6393.map(({ iso6393: code }) => code));

/** The resource or kind of the shop that a word names. */
export function resourceCalled(word: string): Resource {
  const resource = findResource(word) ?? findResource(word, shopResources);
  if (resource === undefined) throw new Error(`no resource is called ${word}`);
  return resource;
}

type Tables = Map<Table, Map<string, Row>>;

function idOf(table: Table, row: Row): string {
  return JSON.stringify(table.id.map((column) => row[column]));
}

/** By name: two descriptions may show one table, one of them fewer columns. */
function rowsOf(tables: Tables, table: Table): Map<string, Row> {
  const known = [...tables.keys()].find(({ name }) => name === table.name) ?? table;
  const rows = tables.get(known) ?? new Map<string, Row>();
  tables.set(known, rows);
  return rows;
}

/** Identifiers are counted: the tenth is sorted after the ninth. */
const counting = new Intl.Collator('en', { numeric: true });

function inOrder(rows: ReadonlyMap<string, Row>): Row[] {
  return [...rows].sort(([a], [b]) => counting.compare(a, b)).map(([, row]) => row);
}

/** Answers what a plan asked for. */
function answer(tables: Tables, draft: Draft, needs: Pending): void {
  for (const [table, lookups] of needs.rows) {
    const rows = [...rowsOf(tables, table).values()];
    for (const [lookup, keys] of lookups) {
      const columns = table.lookups[lookup] ?? [];
      for (const key of keys) {
        const parts = keyParts(key);
        const found = rows.find((row) => columns.every((column, i) => String(row[column]) === parts[i]));
        if (found === undefined) draft.missing(table, lookup, new Set([key]));
        else draft.loaded(table, lookup, key, found);
      }
    }
  }
  for (const [table, parents] of needs.children) {
    const rows = [...rowsOf(tables, table).values()];
    const column = table.parent ?? '';
    for (const parent of parents)
      draft.loadedChildren(
        table,
        parent,
        // Backwards: their order is not promised.
        rows.filter((row) => row[column] === parent).reverse(),
      );
  }
  for (const table of needs.some) draft.loadedSome(table, rowsOf(tables, table).size > 0);
}

function settled<T>(tables: Tables, draft: Draft, look: () => T): T {
  for (;;) {
    const result = look();
    const needs = draft.drainPending();
    if (needs === undefined) return result;
    answer(tables, draft, needs);
  }
}

/** Runs a plan and stores what it saved, as far as possible while it runs; without `newId` nothing is stored. */
function run<T>(tables: Tables, plan: (draft: Draft) => Generator<void, T>, newId?: DraftSource['newId']): T {
  const draft = newDraft({ newId: newId ?? provisionalIds() });
  const store = (saved: ReadonlyMap<Table, SavedRows> = new Map()): void => {
    for (const [table, { created, changed }] of saved)
      for (const row of [...created, ...changed.keys()]) rowsOf(tables, table).set(idOf(table, row), row);
  };
  const steps = plan(draft);
  for (;;) {
    const step = steps.next();
    if (newId !== undefined) store(step.done ? draft.saved() : draft.takeSaved(1));
    if (step.done) return step.value;
    for (let needs = draft.drainPending(); needs !== undefined; needs = draft.drainPending())
      answer(tables, draft, needs);
  }
}

/** A catalog with nothing in it. */
export function given(start: { tables?: Tables; now?: number; ids?: number } = {}): Given {
  const tables: Tables = start.tables ?? new Map();
  let now = start.now ?? 1_700_000_000;
  let ids = start.ids ?? 0;
  const newId: DraftSource['newId'] = ({ prefix = '' }) => `${prefix}${String(++ids).padStart(8, '0')}`;
  const environment = (): Environment => ({
    now,
    isLanguage: (code) => languages.has(code),
    slugify: slugifier(anyAscii),
    rules: 'test',
  });

  const catalog: Given = {
    sendBatches(word, batches, mode = {}) {
      now += 60;
      const context = {
        environment: environment(),
        mode: { dryRun: false, diff: false, comparesLists: mode.dryRun !== true || mode.diff === true, ...mode },
      };
      const plan = (draft: Draft) => planBatches(resourceCalled(word), batches.map(batchOf), draft, context);
      return run(tables, plan, context.mode.dryRun ? undefined : newId).reports.map(sentReport);
    },
    send: (word, items, mode) => catalog.sendBatches(word, [items], mode)[0] as Report,
    line: (word, item, mode) => catalog.send(word, [item], mode).data[0] as Line,
    has(word, ...items) {
      for (const line of catalog.send(word, items).data) {
        if (line.action === 'refused')
          throw new Error(`given item ${line.index} of ${word} was refused: ${line.reason}`);
      }
      return catalog;
    },
    find(word, selector) {
      const resource = resourceCalled(word);
      const draft = newDraft();
      return settled(tables, draft, () => {
        const row = resource.find(selector, draft);
        return row === undefined ? undefined : resource.view(row, draft);
      });
    },
    read(word, key) {
      const record = catalog.find(word, { key });
      if (record === undefined) throw new Error(`${word} ${key} is not there`);
      return record;
    },
    id: (word, key) => String(catalog.read(word, key)['id']),
    rows: () =>
      Object.fromEntries(
        [...tables].filter(([, rows]) => rows.size > 0).map(([table, rows]) => [table.name, inOrder(rows)]),
      ),
    table: (name) => [...tables].filter(([table]) => table.name === name).flatMap(([, rows]) => [...rows.values()]),
    deleteProduct: (sku) => run(tables, (draft) => planProductDeletion(sku, now, draft), newId),
    copy: () => given({ tables: new Map([...tables].map(([table, rows]) => [table, new Map(rows)])), now, ids }),
  };
  return catalog;
}

/** The codes of a line's notices, further problems included, in order. */
export function noticed(line: Line): string[] {
  return line.notice.map(({ code }) => code);
}

/** Every problem of a refused line as `code field`, the first one first. */
export function problemsOf(line: Line): string[] {
  const path = /^([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+)?)(?:: | is | has )/.exec(line.reason ?? '')?.[1] ?? '';
  const first = `${line.code} ${path}`.trim();
  return [first, ...line.notice.map(({ code, field }) => `${code} ${field}`.trim())];
}
