// The statements that write changed rows, of tables of any identity.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { column, defineTable, type RowOf } from '../../../src/core/rows/table.js';
import { readAddress } from '../../../src/store/postgres/address.js';
import { connect } from '../../../src/store/postgres/connect.js';
import { rowSaver } from '../../../src/store/postgres/save-rows.js';
import type { Session } from '../../../src/store/postgres/session.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';

const seats = defineTable(
  'seat',
  { hall: column.text, number: column.integer, guest: column.text },
  { id: ['hall', 'number'], lookups: { guest: ['guest'] } },
);

describe.skipIf(missing !== undefined)(
  `rows of a composite identity${missing === undefined ? '' : `: ${missing}`}`,
  () => {
    let database: TestDatabase;
    let session: Session;
    beforeAll(async () => {
      database = await newTestDatabase();
      await database.query('CREATE SCHEMA seats');
      await database.query(
        'CREATE TABLE seats.seat (hall text, number bigint, guest text NOT NULL UNIQUE, PRIMARY KEY (hall, number))',
      );
      session = await connect(readAddress(database.address('seats'), {}), 'seats', 10_000);
    });
    afterAll(async () => {
      await session.close();
      await database.close();
    });

    it('trade a unique key in one transaction', async () => {
      const before: RowOf<typeof seats>[] = [
        { hall: 'a', number: 1, guest: 'Ada' },
        { hall: 'a', number: 11, guest: 'Bo' },
        { hall: 'a1', number: 1, guest: 'Cy' },
      ];
      const after = before.map((row, i) => ({ ...row, guest: before[(i + 1) % before.length]?.guest ?? '' }));
      const rowsOf = rowSaver('seats', new Set(['seat.number']));
      const changed = new Map(after.map((row, i) => [row, before[i] ?? null]));
      await session.run(rowsOf(new Map([[seats, { created: before, changed: new Map() }]])));
      await session.run([
        { sql: 'BEGIN' },
        ...rowsOf(
          new Map([[seats, { created: [], changed: changed as Map<RowOf<typeof seats>, RowOf<typeof seats>> }]]),
        ),
        { sql: 'COMMIT' },
      ]);
      expect(await database.query('SELECT hall, number::int, guest FROM seats.seat ORDER BY hall, number')).toEqual(
        after,
      );
    });
  },
);
