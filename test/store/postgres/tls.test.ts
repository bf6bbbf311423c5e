// TLS to a PostgreSQL server, as sslmode says.
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typedAsProcess } from '../../cli/started.js';
import { typedHere } from '../../cli/typed.js';
import { freePort } from '../../free-port.js';
import { initialize, start, stop } from '../../postgres/server-files.js';
import { missing } from '../../postgres/test-database.js';

const certificate = join(import.meta.dirname, '../../http/tls/cert.pem');
const key = join(import.meta.dirname, '../../http/tls/key.pem');

describe.skipIf(missing !== undefined)(`TLS to PostgreSQL${missing === undefined ? '' : `: ${missing}`}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-postgres-tls-'));
  let pid = 0;
  let port = 0;
  beforeAll(async () => {
    chmodSync(folder, 0o755);
    const files = initialize(join(folder, 'server'));
    if ('missing' in files) throw new Error(files.missing);
    // The server insists that nobody else may read its key.
    const own = join(files.folder, 'key.pem');
    copyFileSync(key, own);
    chmodSync(own, 0o600);
    const { uid, gid } = files.rights;
    if (uid !== undefined && gid !== undefined) chownSync(own, uid, gid);
    copyFileSync(certificate, join(files.folder, 'cert.pem'));
    port = await freePort();
    const rules = join(files.folder, 'rules.conf');
    // `cert` asks for a certificate whose name is that of the user.
    const byName = 'host all sealed all scram-sha-256\nhostssl all localhost all cert\n';
    writeFileSync(rules, `${byName}host all all all trust\n`);
    const settings = [
      `hba_file=${rules}`,
      'ssl=on',
      `ssl_key_file=${own}`,
      `ssl_cert_file=${join(files.folder, 'cert.pem')}`,
      `ssl_ca_file=${join(files.folder, 'cert.pem')}`,
    ];
    pid = await start(files, port, settings);
    expect((await migrate('sslmode=disable')).code).toBe(0);
  });
  afterAll(async () => {
    await stop(pid, 'SIGQUIT');
    rmSync(folder, { recursive: true });
  });

  const migrate = (parameters: string, ...more: string[]) =>
    typedHere(['db', 'migrate', '--db', `postgres://postgres@localhost:${port}/postgres?${parameters}`, ...more]);

  it.each([
    ['sslmode=disable'],
    ['sslmode=prefer'],
    ['sslmode=require'],
    [`sslmode=require&sslrootcert=${certificate}`],
    [`sslmode=verify-ca&sslrootcert=${certificate}`],
    [`sslmode=verify-full&sslrootcert=${certificate}`],
  ])('connects with %s', async (parameters) => {
    const { code, stderr } = await migrate(parameters);
    expect(code, stderr).toBe(0);
  });

  it('takes the password from PGPASSWORD, from a password file that only its owner reads, or from CATALOG_DB', async () => {
    const owner = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
    await owner.connect();
    await owner.query("CREATE ROLE sealed SUPERUSER LOGIN PASSWORD 'open:sesame'");
    await owner.end();
    const db = `postgres://sealed@127.0.0.1:${port}/postgres`;
    const keys = async (env: NodeJS.ProcessEnv, args = ['--db', db]) => {
      const told = await typedAsProcess(folder, ['keys', 'list', ...args], { env: { HOME: folder, ...env } });
      expect(told.stderr).not.toMatch(/sesame|sealed/);
      return told;
    };
    expect((await keys({ PGPASSWORD: 'open:sesame' })).code).toBe(0);
    const wrong = await keys({ PGPASSWORD: 'sesame, open' });
    expect(wrong.code).toBe(7);
    expect(wrong.stderr).toContain('refused the user or the password; set PGUSER and PGPASSWORD');
    const none = await keys({});
    expect(none.code).toBe(7);
    expect(none.stderr).toContain('asks for a password; set PGPASSWORD, or add a line to ~/.pgpass');
    const file = join(folder, '.pgpass');
    writeFileSync(file, `127.0.0.1:${port}:*:sealed:open\\:sesame\n`, { mode: 0o600 });
    expect((await keys({})).code).toBe(0);
    chmodSync(file, 0o644);
    expect((await keys({})).code).toBe(7);
    // On Windows libpq looks elsewhere, and files have no modes.
    const roaming = join(folder, 'roaming');
    mkdirSync(join(roaming, 'postgresql'), { recursive: true });
    renameSync(file, join(roaming, 'postgresql', 'pgpass.conf'));
    const preload = new URL('../../platforms/windows-signals.mjs', import.meta.url);
    expect((await keys({ APPDATA: roaming, NODE_OPTIONS: `--import ${preload.href}` })).code).toBe(0);
    expect((await keys({ CATALOG_DB: db.replace('sealed@', 'sealed:open%3Asesame@') }, [])).code).toBe(0);
  });

  it('shows the certificate of sslcert, with the key of sslkey', async () => {
    const owner = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`);
    await owner.connect();
    await owner.query('CREATE ROLE localhost SUPERUSER LOGIN');
    await owner.end();
    const list = (parameters: string) =>
      typedHere(['keys', 'list', '--db', `postgres://localhost@127.0.0.1:${port}/postgres?${parameters}`]);
    const shown = await list(`sslmode=require&sslcert=${certificate}&sslkey=${key}`);
    expect(shown.code, shown.stderr).toBe(0);
    expect((await list('sslmode=require')).code).toBe(7);
    const lacking = await list(`sslmode=require&sslcert=${certificate}&sslkey=${join(folder, 'none.pem')}`);
    expect(lacking).toMatchObject({ code: 2, stderr: expect.stringContaining('The key (sslkey)') });
  });

  it('trusts the certificates of --ca-file, and no others', async () => {
    expect((await migrate('', '--ca-file', certificate)).code).toBe(0);
    const { code, stderr } = await migrate('sslmode=verify-full');
    expect(code).toBe(7);
    expect(stderr).toContain('has a certificate that is not trusted');
    expect((await migrate('', '--ca-file', join(folder, 'none.pem'))).code).toBe(2);
  });
});
