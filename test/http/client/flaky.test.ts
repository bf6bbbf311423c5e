// A remote import reports exactly once, whatever the network does. Every run imports a small shop through a proxy that
// spoils 30 % of the requests, and must end as the same import into a local file: every line, count and record.
// FLAKY_RUNS and FLAKY_SEED choose how many runs and which.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/core/catalog.js';
import type { Line, ReadShape } from '../../../src/core/import-report.js';
import { sentReport } from '../../../src/core/report-counts.js';
import { resources } from '../../../src/core/resources/index.js';
import { type LocalCatalog, openCatalog } from '../../../src/store/open.js';
import { importAll, linesOf } from '../../contract.js';
import { randomFrom, seedOf } from '../../random.js';
import { isFast, repetitions } from '../../tier.js';
import { type GivenServer, givenServer } from '../server/given-server.js';
import { dealtHarms, type FlakyProxy, flakyProxy, type Harm, harms } from './flaky-proxy.js';
import { client } from './given-remote.js';

const runs = repetitions('FLAKY_RUNS', { fast: 4, moderate: 5, full: 100 });
const seed = seedOf('FLAKY_SEED');
/** Runs side by side: most of a run is waiting. */
const abreast = 10;

/** A shop whose records no other run touches, with repeated keys, common names and refused items. */
function shopOf(run: number): readonly (readonly [resource: string, batches: readonly (readonly unknown[])[]])[] {
  const next = randomFrom(seed + run);
  const any = (most: number): number => Math.floor(next() * most);
  const product = (): object => ({
    sku: `${run}-${any(60)}`,
    currency: any(12) === 0 ? 'none' : 'EUR',
    name: `Thing of ${run} ${any(4)}`,
    stock: any(5),
    ...(any(8) === 0 ? { price: 'dear' } : { price: `${any(3)}.50` }),
    ...(any(4) === 0 ? { grades: [{ grade: 'new', price: any(9) }] } : {}),
  });
  const categories = Array.from({ length: 9 }, (_, i) => ({
    name: `Category ${run} ${i}`,
    ...(i > 0 ? { parent: `category ${run} ${any(i + 1)}` } : {}),
  }));
  return [
    [
      'attribute',
      [[{ name: `Size ${run}`, values: [{ label: 'S' }, { label: 'M' }] }], [{ name: `size ${run}`, unit: 'x' }]],
    ],
    ['category', [categories.slice(0, 4), categories.slice(4, 7), categories.slice(7)]],
    ['product', Array.from({ length: 8 }, () => Array.from({ length: 1 + any(9) }, product))],
    ['product_review', [[{ external_id: `${run}-a`, customer_external_id: 'nobody', product_sku: 'x', rating: 5 }]]],
  ];
}

/**
 * Identifiers are new in every catalog; places and words are not. A line that was refused before it was sent has none,
 * also where the record is known.
 */
function withoutIds({ id, ...line }: Line): object {
  return { ...line, ...(line.action === 'refused' ? {} : { hasId: id !== null }) };
}

async function importShop(catalog: Catalog, run: number): Promise<object[]> {
  const told: object[] = [];
  for (const [word, batches] of shopOf(run)) {
    const reports = await importAll(catalog, word, batches);
    expect(reports.map(({ total }) => total)).toEqual(batches.map(({ length }) => length));
    told.push(...reports.map(({ data, ...counts }) => counts), ...linesOf(reports.map(sentReport)).map(withoutIds));
  }
  return told;
}

/** Every record of a run as it reads, but for identifiers and times; a parent by its name. */
async function stateOf(catalog: Catalog, run: number): Promise<object[]> {
  const state: object[] = [];
  for (const [word, batches] of shopOf(run)) {
    const resource = resources.find(({ name }) => name === word);
    if (resource === undefined) throw new Error(word);
    const keys = new Set(batches.flat().map((item) => resource.externalId(item as Record<string, unknown>)));
    for (const key of keys) {
      const record = await catalog.read(resource, { key });
      if (record === undefined) continue;
      const { id, created_at, updated_at, values, ...rest } = record as ReadShape & { values?: readonly ReadShape[] };
      const parent = rest['parent'] ? (await catalog.read(resource, { id: String(rest['parent']) }))?.['name'] : '';
      state.push({ ...rest, parent, values: values?.map(({ label, position }) => ({ label, position })) });
    }
  }
  return state;
}

describe('a remote that drops, delays, truncates, repeats and answers errors', () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-flaky-'));
  const seen = new Map<Harm | 'none', number>();
  const deal = dealtHarms(seed);
  let given: GivenServer;
  let local: LocalCatalog;
  beforeAll(async () => {
    console.info(`FLAKY_SEED=${seed}`);
    given = await givenServer();
    local = await openCatalog({ file: join(folder, 'catalog.db'), create: true });
  });
  afterAll(async () => {
    await given.stop();
    await local.close();
    rmSync(folder, { recursive: true });
  });

  async function oneRun(run: number): Promise<void> {
    const proxy: FlakyProxy = await flakyProxy(given.server.url, seed + run, { deal });
    const remote = await client(proxy.url, given.key);
    try {
      const told = await importShop(remote, run);
      expect(told, `FLAKY_SEED=${seed}, run ${run}`).toEqual(await importShop(local, run));
      const state = await stateOf(given.catalog, run);
      expect(state, `FLAKY_SEED=${seed}, run ${run}`).toEqual(await stateOf(local, run));
      expect(state.length).toBeGreaterThan(10);
    } finally {
      await remote.close();
      await proxy.stop();
    }
    for (const [harm, times] of proxy.done) seen.set(harm, (seen.get(harm) ?? 0) + times);
  }

  it(`ends like an undisturbed run, ${runs} times`, async () => {
    let run = 0;
    const line = async (): Promise<void> => {
      while (run < runs) await oneRun(run++);
    };
    await Promise.all(Array.from({ length: abreast }, line));
  });

  it.skipIf(isFast)(
    'control: the harness detects an instance that ignores Idempotency-Keys by its counts',
    async () => {
      const others: number[] = [];
      for (let run = -1; run > -10; run--) {
        const proxy = await flakyProxy(given.server.url, seed + run, { forgetful: true });
        const remote = await client(proxy.url, given.key);
        const counts = (told: readonly object[]) => told.filter((entry) => 'created' in entry);
        const there = counts(await importShop(remote, run));
        if (JSON.stringify(there) !== JSON.stringify(counts(await importShop(local, run)))) others.push(run);
        await remote.close();
        await proxy.stop();
      }
      expect(others.length).toBeGreaterThan(0);
    },
  );

  it('about 30 % of the requests were disturbed, in every way', () => {
    const all = [...seen.values()].reduce((sum, times) => sum + times, 0);
    const spoilt = all - (seen.get('none') ?? 0);
    console.info(
      `${all} requests, ${spoilt} spoilt: ${[...seen].map(([harm, times]) => `${harm} ${times}`).join(', ')}`,
    );
    expect(spoilt / all).toBeGreaterThan(0.22);
    expect([...seen.keys()].sort()).toEqual([...harms, 'none'].sort());
  });
});
