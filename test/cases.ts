// The cases of fixtures/cases: `x.json` says what is there before and what is imported, `x.report.json` what is
// reported. A new rule needs a new pair and no new test code. See fixtures/README.md for the notation.
import { readdirSync, readFileSync } from 'node:fs';
import type { Report } from '../src/core/import-report.js';
import { sentReport } from '../src/core/report-counts.js';
import type { Item } from './given.js';

/** What is there before: items imported as given, or a product deleted in the shop's workspace. */
type Before = { readonly resource: string; readonly items: readonly Item[] } | { readonly delete_product: string };

export interface Case {
  readonly rule: string;
  readonly resource: string;
  readonly before?: readonly Before[];
  readonly items: readonly unknown[];
  readonly options?: { readonly dry_run?: boolean; readonly diff?: boolean };
  readonly report: unknown;
}

/** What a case is run on: any catalog that takes batches and finds identifiers. */
export interface CaseCatalog {
  send(resource: string, items: readonly unknown[], mode: { dryRun: boolean; diff: boolean }): Promise<Report>;
  id(resource: string, key: string): Promise<string>;
  deleteProduct(sku: string): Promise<void>;
}

const folder = new URL('../fixtures/cases/', import.meta.url);

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

/** Every case by its name. */
export const cases: readonly (readonly [string, Case])[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json') && !file.endsWith('.report.json'))
  .sort()
  .map((file) => {
    const name = file.slice(0, -'.json'.length);
    return [name, { ...(readJson(file) as Case), report: readJson(`${name}.report.json`) }];
  });

/** Replaces `<category Phones>` by the identifier of that record. */
async function resolve(value: unknown, catalog: CaseCatalog): Promise<unknown> {
  if (typeof value === 'string') {
    const [, resource, key] = /^<(\w+) (.+)>$/.exec(value) ?? [];
    return resource === undefined || key === undefined ? value : catalog.id(resource, key);
  }
  if (Array.isArray(value)) return Promise.all(value.map((entry) => resolve(entry, catalog)));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(async ([name, entry]) => [name, await resolve(entry, catalog)]);
  return Object.fromEntries(await Promise.all(entries));
}

/** Sets the state, imports the items, and gives the report. */
export async function runCase(it: Case, catalog: CaseCatalog): Promise<Report> {
  const apply = { dryRun: false, diff: false };
  for (const step of it.before ?? []) {
    if ('delete_product' in step) {
      await catalog.deleteProduct(step.delete_product);
      continue;
    }
    const report = await catalog.send(step.resource, (await resolve(step.items, catalog)) as Item[], apply);
    const refused = report.data.find(({ action }) => action === 'refused');
    if (refused !== undefined) throw new Error(`given ${step.resource} was refused: ${refused.reason}`);
  }
  const { dry_run: dryRun = false, diff = false } = it.options ?? {};
  return sentReport(await catalog.send(it.resource, (await resolve(it.items, catalog)) as unknown[], { dryRun, diff }));
}

/** The report, with each value that is expected as `…` replaced by `…`. */
export function asExpected(actual: unknown, expected: unknown): unknown {
  if (typeof actual === 'string' && typeof expected === 'string' && expected.includes('…')) {
    const parts = expected.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(`^${parts.join('[^]*')}$`).test(actual) ? expected : actual;
  }
  if (Array.isArray(actual) && Array.isArray(expected)) return actual.map((entry, i) => asExpected(entry, expected[i]));
  if (typeof actual !== 'object' || actual === null || typeof expected !== 'object' || expected === null) return actual;
  const known = expected as Record<string, unknown>;
  return Object.fromEntries(Object.entries(actual).map(([name, entry]) => [name, asExpected(entry, known[name])]));
}
