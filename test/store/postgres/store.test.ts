// The contract of stores and of catalogs on PostgreSQL, and that of a dry run around it.
import { afterAll, beforeAll, describe } from 'vitest';
import { storeCatalog } from '../../../src/store/catalog.js';
import { dryRunStore } from '../../../src/store/dry-run-store.js';
import { openPostgres } from '../../../src/store/postgres/open-postgres.js';
import type { Store } from '../../../src/store/store.js';
import { catalogContract } from '../../contract.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';
import { isFull, repetitions } from '../../tier.js';
import { storeContract } from '../contract.js';
import { ledgerContract } from '../ledger-contract.js';
import { memoryStore } from '../memory-store.js';
import { onlyContract } from '../only-contract.js';
import { plansContract } from '../plans-contract.js';
import { priceContract } from '../price-contract.js';
import { recognitionContract } from '../recognition-contract.js';
import { repeatedPriceContract } from '../repeated-price-contract.js';
import { undoContract } from '../undo-contract.js';
import { undoneRunsContract } from '../undone-runs-contract.js';

describe.skipIf(missing !== undefined)(`a store${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newTestDatabase();
  });
  /** Some contracts leave it to the end of the file to close their stores. */
  const opened = new Set<Store>();
  afterAll(async () => {
    for (const store of opened) await store.close();
    await database.close();
  });

  let count = 0;
  const free: string[] = [];

  /** An empty store: in a schema that another test is done with, or in a new one, which takes a quarter of a second. */
  async function open(): Promise<Store> {
    const schema = free.pop() ?? `store_${++count}`;
    const store = await openPostgres({
      address: database.address(schema),
      lockTimeout: 10_000,
      create: true,
      patience: 0,
    });
    opened.add(store);
    async function close(): Promise<void> {
      opened.delete(store);
      await store.close();
      await database.empty(schema);
      free.push(schema);
    }
    return { ...store, close };
  }

  storeContract('in PostgreSQL', open);
  ledgerContract('in PostgreSQL', open, 3);
  undoneRunsContract('in PostgreSQL', open, 2);
  undoContract('in PostgreSQL', open, repetitions('UNDONE_ON_POSTGRES', { fast: 1, moderate: 1, full: 200 }));
  plansContract('in PostgreSQL', open, 2);
  onlyContract('in PostgreSQL', open, repetitions('ONLY_ON_POSTGRES', { fast: 1, moderate: 1, full: 50 }));
  priceContract('in PostgreSQL', open, repetitions('PRICES_ON_POSTGRES', { fast: 1, moderate: 1, full: 200 }));
  repeatedPriceContract(
    'in PostgreSQL',
    open,
    repetitions('REPEATED_PRICES_ON_POSTGRES', { fast: 1, moderate: 1, full: 200 }),
  );
  recognitionContract(
    'in PostgreSQL',
    open,
    repetitions('RECOGNITIONS_ON_POSTGRES', { fast: 1, moderate: 1, full: 50 }),
  );
  if (isFull) storeContract('a dry run around PostgreSQL', async () => dryRunStore(await open(), memoryStore()));

  catalogContract('on a store in PostgreSQL', async () => {
    const catalog = storeCatalog(await open());
    return { catalog, local: catalog, close: () => catalog.close() };
  });
});
