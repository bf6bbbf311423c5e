// `--changed-only` against sending everything: night after night two served instances get the same feeds, one of them all
// of it, the other, through a proxy that spoils requests, what changed. Lines and records must be the same.
// NIGHTS_SEED chooses the nights.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalog } from '../../../src/core/catalog.js';
import type { Counts } from '../../../src/core/import-report.js';
import { shopResources } from '../../../src/core/resources/index.js';
import type { ImportObserver } from '../../../src/importing/observer.js';
import { type DuplicatePolicy, duplicatePolicies } from '../../../src/importing/request.js';
import { runImport } from '../../../src/importing/run-import.js';
import type { RememberingCatalog } from '../../../src/importing/withhold-known-items.js';
import { openAcknowledgedItems } from '../../../src/store/sqlite/acknowledged/acknowledged-items.js';
import { batchOf } from '../../entries.js';
import { resourceCalled } from '../../given.js';
import { randomFrom, seedOf } from '../../random.js';
import { repetitions } from '../../tier.js';
import { type GivenServer, givenServer } from '../server/given-server.js';
import { flakyProxy } from './flaky-proxy.js';
import { client } from './given-remote.js';

const seed = seedOf('NIGHTS_SEED');
const nights = repetitions('NIGHTS', { fast: 3, moderate: 3, full: 60 });
const words = ['attribute', 'category', 'product', 'product_review'] as const;

/** The feeds of a night: most rows as in the night before, some changed and back, some wrong, some twice. */
function feedsOf(night: number): Readonly<Record<(typeof words)[number], readonly object[]>> {
  const next = randomFrom(seed + night);
  const any = (most: number): number => Math.floor(next() * most);
  const often = (index: number, ways: number): number => (any(12) === 0 ? any(ways) : index % ways);
  // Rows that repeat a key and differ, close by and far behind, each night the same ones.
  const withRepeats = (rows: readonly object[], other: object): object[] => [
    ...rows.flatMap((row, i) => (i % 11 === 5 ? [row, { ...row, ...other }] : [row])),
    ...rows.filter((_, i) => i % 13 === 7).map((row) => ({ ...row, ...other })),
  ];
  const category = (i: number): object => ({
    name: `Category ${i}`,
    ...(i > 0 ? { parent: `category ${often(i, i)}` } : {}),
    description: `${often(i, 2)}`,
  });
  const product = (i: number): object => ({
    sku: `P${i}`,
    currency: 'EUR',
    name: `Thing ${i % 7}`,
    category: any(60) === 0 ? 'Nowhere' : `Category ${often(i, 12)}`,
    price: i % 37 === 0 || any(60) === 0 ? 'dear' : `${often(i, 3)}.50`,
    ...(i % 4 === 0
      ? { grades: [{ grade: 'new', price: often(i, 2) }, ...(any(20) === 0 ? [{ grade: 'good' }] : [])] }
      : {}),
    ...(i % 5 === 0 ? { attributes: [{ type: 'Size', value: any(50) === 0 ? 'XXL' : 'S' }] } : {}),
  });
  const review = (i: number): object => ({
    external_id: `r${i}`,
    customer_external_id: i % 83 === 0 ? 'nobody' : 'c1',
    product_sku: `P${i % 150}`,
    rating: 1 + often(i, 5),
  });
  const rows = (count: number, of: (i: number) => object): object[] => Array.from({ length: count }, (_, i) => of(i));
  return {
    attribute: [{ name: 'Size', values: [{ label: 'S' }, { label: 'M' }, ...(any(2) === 0 ? [{ label: 'L' }] : [])] }],
    category: withRepeats(rows(14, category), { description: 'again' }),
    product: withRepeats(rows(130, product), { note: 'again', stock: 3 }),
    product_review: withRepeats(rows(320, review), { text: 'again' }),
  };
}

interface NightLine {
  readonly line: number;
  readonly key: string;
  readonly action: string;
  readonly code: string | null;
  readonly isSent: boolean;
}

function collector(into: NightLine[]): ImportObserver {
  return {
    batch({ report, lines }) {
      for (const [i, { external_id: key, action, code, notice }] of report.data.entries())
        into.push({ line: lines[i] ?? 0, key, action, code, isSent: !notice.some((one) => one.code === 'not_sent') });
    },
  };
}

/** Every record as it reads, but for identifiers and times; records it refers to by their names. */
async function stateOf(catalog: Catalog): Promise<unknown> {
  const names = new Map<string, string>();
  const state: Record<string, unknown[]> = {};
  for (const word of words) {
    const resource = resourceCalled(word);
    for (let after: string | undefined, first = true; first || after !== undefined; first = false) {
      const include = Object.keys(resource.details).filter((name) => name !== 'names');
      const page = await catalog.list(resource, { limit: 200, include, ...(after !== undefined && { after }) });
      for (const record of page.records) names.set(String(record['id']), String(record[resource.key]));
      state[word] = [...(state[word] ?? []), ...page.records];
      after = page.next;
    }
  }
  const times = new Set(['id', 'created_at', 'updated_at', 'customer']);
  const plain = JSON.parse(JSON.stringify(state), (key, value) =>
    times.has(key) ? undefined : typeof value === 'string' ? (names.get(value) ?? value) : value,
  ) as Record<string, Record<string, unknown>[]>;
  for (const word of words)
    plain[word]?.sort((a, b) => (String(a[resourceCalled(word).key]) < String(b[resourceCalled(word).key]) ? -1 : 1));
  return plain;
}

describe(`only what changed is sent (NIGHTS_SEED=${seed})`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'changed-only-'));
  let all: GivenServer;
  let changed: GivenServer;
  beforeAll(async () => {
    [all, changed] = [await givenServer(), await givenServer()];
    const customers = shopResources.find(({ command }) => command === 'customers');
    if (customers === undefined) throw new Error('the shop has no customers');
    for (const { catalog } of [all, changed])
      for await (const report of catalog.importBatches(customers, [batchOf([{ external_id: 'c1' }])]))
        expect(report.created).toBe(1);
  });
  afterAll(async () => {
    await all.stop();
    await changed.stop();
    rmSync(folder, { recursive: true });
  });

  /** Imports the feeds of a night into a catalog. */
  async function importNight(
    night: number,
    policy: DuplicatePolicy,
    catalogOf: (word: string) => Catalog,
    { endAfter = Number.POSITIVE_INFINITY, dryRun = false } = {},
  ): Promise<{ lines: NightLine[]; counts: Readonly<Counts>; failure?: unknown }> {
    const lines: NightLine[] = [];
    const ending = new AbortController();
    const files = Object.entries(feedsOf(night)).map(([word, items]) => {
      const file = join(folder, `${word}.ndjson`);
      writeFileSync(file, items.map((item) => `${JSON.stringify(item)}\n`).join(''));
      return { resource: resourceCalled(word), source: { file } };
    });
    const endEarly = { batch: () => void (lines.length >= endAfter && ending.abort('test')) };
    const { counts, failure } = await runImport(
      { files, duplicates: policy, dryRun },
      ({ resource }) => catalogOf(resource.name),
      [collector(lines), endEarly],
      ending.signal,
    );
    return { lines, counts, failure };
  }

  /** What a night of the changed-only instance uses: acknowledged items of each resource. */
  function remembering(remote: Catalog, run: string, dryRun = false) {
    const opened = words.map((word) => {
      const file = join(folder, 'state', `${word}.db`);
      const now = () => Math.floor(Date.now() / 1000);
      const acknowledged = openAcknowledgedItems({ file, binding: word, run, withholds: true, dryRun, now });
      return { word, acknowledged, catalog: { ...remote, acknowledged } satisfies RememberingCatalog };
    });
    return {
      catalogOf: (word: string): Catalog => opened.find((one) => one.word === word)?.catalog ?? remote,
      close: () => {
        for (const { acknowledged } of opened) acknowledged.close();
      },
    };
  }

  it('ends as if everything had been sent, with the same lines, also after nights that ended early', async () => {
    const direct = await client(all.server.url, all.key);
    let withheld = 0;
    let sent = 0;
    for (let night = 0; night < nights; night++) {
      const where = `NIGHTS_SEED=${seed}, night ${night}`;
      const next = randomFrom(seed * 7 + night);
      const policy = duplicatePolicies[Math.floor(next() * duplicatePolicies.length)] ?? 'last';
      const endsEarly = night % 3 === 2;
      const proxy = await flakyProxy(changed.server.url, seed + night);
      const remote = await client(proxy.url, changed.key);
      try {
        if (endsEarly) {
          const cut = remembering(remote, `cut ${night}`);
          await importNight(night, policy, cut.catalogOf, { endAfter: Math.floor(next() * 400) });
          cut.close();
        }
        const whole = await importNight(night, policy, () => direct);
        const memory = remembering(remote, `night ${night}`);
        const part = await importNight(night, policy, memory.catalogOf);
        memory.close();
        expect(part.failure, where).toBeUndefined();
        expect(part.lines.length, where).toBe(whole.lines.length);
        const plain = (lines: readonly NightLine[]) => lines.map(({ isSent, ...line }) => line);
        if (!endsEarly) expect(plain(part.lines), where).toEqual(plain(whole.lines));
        for (const line of part.lines) expect(line.isSent || line.action === 'unchanged', where).toBe(true);
        expect(await stateOf(changed.catalog), where).toEqual(await stateOf(all.catalog));
        withheld += part.lines.filter(({ isSent }) => !isSent).length;
        sent += part.lines.filter(({ isSent }) => isSent).length;
      } finally {
        await remote.close();
        await proxy.stop();
      }
    }
    await direct.close();
    console.info(`${withheld} items withheld, ${sent} sent`);
    expect(withheld).toBeGreaterThan(sent / 2);
  });

  it('a dry run shows the lines of the run that follows, and changes nothing of what is known', async () => {
    const remote = await client(changed.server.url, changed.key);
    const night = nights + 1;
    const dry = remembering(remote, 'dry', true);
    const before = await stateOf(changed.catalog);
    const foreseen = await importNight(night, 'keep-last', dry.catalogOf, { dryRun: true });
    dry.close();
    expect(await stateOf(changed.catalog)).toEqual(before);
    const memory = remembering(remote, 'after dry');
    const told = await importNight(night, 'keep-last', memory.catalogOf);
    memory.close();
    await remote.close();
    const sentOf = (lines: readonly NightLine[]) => lines.map(({ line, key, isSent }) => ({ line, key, isSent }));
    expect(sentOf(foreseen.lines)).toEqual(sentOf(told.lines));
  });
});
