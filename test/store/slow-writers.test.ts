// Changes that wait for another writer's lock, on SQLite and on PostgreSQL.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgres } from '../../src/store/postgres/open-postgres.js';
import { openDatabase } from '../../src/store/sqlite/database.js';
import { sqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { missing, newTestDatabase, type TestDatabase } from '../postgres/test-database.js';
import { repetitions } from '../tier.js';
import { until } from '../until.js';
import { newDatabase } from './given.js';
import { slowWritersContract } from './slow-writers.js';

let count = 0;

slowWritersContract(
  'in SQLite',
  async () => {
    const { file, database, version } = await newDatabase('slow.db');
    const other = openDatabase(file, true);
    return {
      store: sqliteStore(database, { file, lockTimeout: 600_000, version }),
      hold: async () => void other.exec('BEGIN IMMEDIATE'),
      isWaitedFor: () => sleep(20),
      release: async () => void other.exec('COMMIT'),
      async close() {
        other.close();
        database.close();
      },
    };
  },
  repetitions('SLOW_WRITERS', { fast: 3, moderate: 3, full: 200 }),
);

describe.skipIf(missing !== undefined)(`writers${missing === undefined ? '' : `: ${missing}`}`, () => {
  let server: TestDatabase;
  beforeAll(async () => {
    server = await newTestDatabase();
  });
  afterAll(() => server.close());

  slowWritersContract(
    'in PostgreSQL',
    async () => {
      const schema = `slow_${++count}`;
      const address = `${server.address(schema)}&application_name=${schema}`;
      const store = await openPostgres({ address, lockTimeout: 600_000, create: true, patience: 0 });
      const other = new pg.Client(address.replace(/\?.*/, ''));
      await other.connect();
      const waits = `SELECT 1 FROM pg_stat_activity WHERE application_name = '${schema}' AND wait_event_type = 'Lock'`;
      return {
        store,
        hold: async () => void (await other.query(`BEGIN; SELECT 1 FROM ${schema}.catalog FOR UPDATE`)),
        async isWaitedFor() {
          await until('a wait for the lock', async () => (await server.query(waits)).length > 0);
        },
        release: async () => void (await other.query('COMMIT')),
        async close() {
          await other.end();
          await store.close();
        },
      };
    },
    repetitions('SLOW_WRITERS_ON_POSTGRES', { fast: 1, moderate: 1, full: 50 }),
  );
});
