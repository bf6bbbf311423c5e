// Connections: their settings, and what the server says when it ends one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAddress } from '../../../src/store/postgres/address.js';
import { connect } from '../../../src/store/postgres/connect.js';
import { copyMessages } from '../../../src/store/postgres/copy-text.js';
import { openPostgres } from '../../../src/store/postgres/open-postgres.js';
import { asLost, ConnectionLost } from '../../../src/store/postgres/server-error.js';
import { queryValue, type Session } from '../../../src/store/postgres/session.js';
import { sessionPool } from '../../../src/store/postgres/session-pool.js';
import { missing, newTestDatabase, type TestDatabase } from '../../postgres/test-database.js';

describe.skipIf(missing !== undefined)(`a connection${missing === undefined ? '' : `: ${missing}`}`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await newTestDatabase();
  });
  afterAll(() => database.close());

  const newSession = (parameters = ''): Promise<Session> =>
    connect(readAddress(`${database.address('session')}${parameters}`, {}), 'session', 5000);

  it('passes the settings in ?options= to the server, apart from the schema, as psql does', async () => {
    const options = encodeURIComponent('-csearch_path=other -c statement_timeout=1234');
    const session = await newSession(`&options=${options}`);
    expect(await queryValue(session, 'SHOW statement_timeout')).toBe('1234ms');
    expect(await queryValue(session, 'SHOW search_path')).not.toContain('other');
    await session.close();
  });

  it('has no statement compiled for the processor, which takes longer than a batch where the server can', async () => {
    const session = await newSession();
    expect(await queryValue(session, 'SHOW jit')).toBe('off');
    await session.close();
  });

  it('runs groups that are sent at once one behind the other, also behind one that fails', async () => {
    const session = await newSession();
    const warnings: string[] = [];
    const note = ({ message }: Error): number => warnings.push(message);
    process.on('warning', note);
    const found: unknown[] = [];
    const select = (sql: string) => session.run([{ sql, onRow: ([value]) => found.push(value) }]);
    const ended = await Promise.allSettled(['SELECT 1', 'SELECT 1 / 0', 'SELECT 2', 'SELECT 3'].map(select));
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
    expect(found).toEqual([1, 2, 3]);
    expect(warnings).toEqual([]);
    await session.close();
  });

  it('parses statements anew that were in groups which failed, and forgets them on the server, too', async () => {
    const session = await newSession();
    for (let i = 0; i < 300; i++)
      await expect(session.run([{ sql: `SELECT ${i}` }, { sql: `SELECT 1 / (${i} - ${i})` }])).rejects.toThrow('zero');
    const kept = Number(await queryValue(session, 'SELECT count(*) FROM pg_prepared_statements'));
    expect(kept).toBeLessThanOrEqual(502);
    expect(await queryValue(session, 'SELECT 0')).toBe(0);
    await session.close();
  });

  it('writes rows of COPY in several messages', async () => {
    const session = await newSession();
    await session.run([{ sql: 'CREATE TEMPORARY TABLE piece (n bigint, text text)' }]);
    const texts = ['a', 'b\tc'].map((text) => text.repeat(300_000));
    const copy = copyMessages(
      ['n', 'text'],
      [...texts, 'd'].map((text, n) => ({ n, text })),
    );
    expect(copy.length).toBeGreaterThan(1);
    await session.run([{ sql: 'COPY piece (n, text) FROM STDIN', copy }]);
    expect(await queryValue(session, 'SELECT string_agg(text, $1 ORDER BY n) FROM piece', ['|'])).toBe(
      [...texts, 'd'].join('|'),
    );
    await session.close();
  });

  it('that broke is not used again by its pool, whether it was in use or idle', async () => {
    const pool = sessionPool(() => newSession('&application_name=to_break'), 2);
    const end = (): Promise<unknown> =>
      database.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'to_break'");
    await pool.use(async (session) => {
      await end();
      await expect(session.run([{ sql: 'SELECT 1' }])).rejects.toThrow(ConnectionLost);
    });
    const idle = await pool.use(async (session) => session);
    await end();
    await expect.poll(() => idle.isOpen()).toBe(false);
    await pool.use((session) => session.run([{ sql: 'SELECT 1' }]));
    await pool.close();
  });

  it.each(['25P03', '25P04', '57P01', '57P05', '08006'])('is lost where the server ends it with %s', (code) => {
    expect(asLost(Object.assign(new Error('terminating connection'), { code }))).toBeInstanceOf(ConnectionLost);
    expect(asLost(Object.assign(new Error('canceling statement'), { code: '57014' }))).not.toBeInstanceOf(
      ConnectionLost,
    );
  });

  it.each([
    ['-cno_such_setting=1', '42704'],
    ['-cstatement_timeout=soon', '22023'],
    ['"', '42601'],
  ])('is refused where the server does not take its options %s, in its words', async (options, state) => {
    await expect(newSession(`&options=${encodeURIComponent(options)}`)).rejects.toMatchObject({
      code: 'catalog_unusable',
      message: expect.stringMatching(new RegExp(`refused the connection: .* \\(${state}\\); look at the address`)),
    });
  });

  it('whose statements take longer than is allowed is told how to lift the limit', async () => {
    const address = `${database.address('slow')}&options=-cstatement_timeout%3D1ms`;
    const opened = openPostgres({ address, lockTimeout: 5000, create: true, patience: 0 });
    await expect(opened).rejects.toMatchObject({
      code: 'catalog_locked',
      message: expect.stringContaining('options=-cstatement_timeout%3D0'),
    });
  });

  it('to a database that does not hold every text is refused, with the command that makes another', async () => {
    const name = `latin_${process.pid}`;
    await database.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'`);
    const address = database.address('x').replace(/\/test_\w+/, `/${name}`);
    const opened = openPostgres({ address, lockTimeout: 5000, create: true, patience: 0 });
    await expect(opened).rejects.toMatchObject({
      code: 'catalog_unusable',
      message: expect.stringMatching(/encoding LATIN1, .*createdb --template template0 --encoding UTF8/),
    });
    await database.query(`DROP DATABASE ${name}`);
  });
});
