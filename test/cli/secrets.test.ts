// Addresses with credentials, and what is nearly one: no command shows the password, wherever it writes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lineOf } from '../child.js';
import { outcome, start } from './started.js';
import { folder, typed } from './typed.js';

const addresses = [
  'postgres:/u:SECRET@127.0.0.1:1/x',
  'postgres:u:SECRET@127.0.0.1/x',
  'postgres//u:SECRET@127.0.0.1/x',
  'postgresql:/u:SECRET@127.0.0.1/x',
  ' postgres://u:SECRET@127.0.0.1/x',
  'u:SECRET@127.0.0.1/x',
  'host=127.0.0.1 password=SECRET',
  'https://u:SECRET@127.0.0.1:1/x',
  'postgres://u:SECRET@127.0.0.1:1/x',
  'postgres://u:p?SECRET@127.0.0.1:1/x',
  'postgres://u:5432/SECRET@127.0.0.1/x',
  `postgres://u:p"SECRET's p@127.0.0.1:1/x`,
  'postgres://127.0.0.1:1/x?PGPASSWORD=SECRET',
  'https://u:p/SECRET@127.0.0.1:1/x',
  'https://127.0.0.1:1/x?sig=SECRET',
];

const commands: readonly (readonly string[])[] = [
  ['products', 'products.csv', '--report-file', 'report.html', '--status-file', 'status.prom', '--verbose'],
  ['plan', 'products.csv', '--out', 'shop.plan'],
  ['list', 'products'],
  ['get', 'product', '--sku', 'A'],
  ['export', 'products'],
  ['info'],
  ['doctor'],
  ['db', 'migrate'],
  ['runs'],
  ['config'],
];

/** Everything that a command wrote, in its folder, too. */
async function written(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const files = { 'products.csv': 'sku,currency\nA,EUR\n', 'products.ndjson': '{"sku":"A"}\n' };
  const cwd = folder(files);
  const { stdout, stderr, code } = await typed(cwd, args, { env: { CATALOG_API_KEY: 'cik_none', ...env } });
  if (args[0] !== 'config') expect([0, 1], args.join(' ')).not.toContain(code);
  const own = readdirSync(cwd, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return [
    stdout,
    stderr,
    ...own.map(({ parentPath, name }) => `${name}${readFileSync(join(parentPath, name), 'utf8')}`),
  ].join();
}

it.each(addresses)('%s as a catalog', async (address) => {
  for (const args of commands) {
    expect(await written([...args, '--db', address])).not.toContain('SECRET');
    expect(await written(args, { CATALOG_DB: address })).not.toContain('SECRET');
  }
});

it.each(addresses)('%s as a remote, a source, a value of another option, or a word too many', async (address) => {
  for (const args of [
    ['list', 'products', '--remote', address],
    ['products', 'products.csv', '--remote', address, '--feed', 'erp', '--report-file', 'report.html', '--verbose'],
    ['products', 'products.csv', '--remote', address, '--report-file', 'report.json'],
    ['products', address],
    ['products', 'products.csv', '--map', address],
    ['products', 'products.csv', '--report-file', join(address, 'x.ndjson')],
    ['info', address],
    [address],
    ['copy', '--from', address, '--to', 'other.db'],
  ])
    expect(await written(args), args.join(' ')).not.toContain('SECRET');
});

it.runIf(process.platform === 'linux')(
  'no argument of a process names a secret, whatever processes a command starts',
  async () => {
    const env = { CATALOG_API_KEY: 'SECRET', PGPASSWORD: 'SECRET', CATALOG_DB: join(folder(), 'catalog.db') };
    const server = start(folder(), ['serve', '--port', '0', '--workers', '2'], env);
    await lineOf(server, /listening/);
    const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8').trim().split(' ');
    expect(children.length).toBeGreaterThanOrEqual(2);
    for (const pid of [server.pid, ...children])
      expect(readFileSync(`/proc/${pid}/cmdline`, 'utf8')).not.toContain('SECRET');
    server.kill('SIGTERM');
    expect((await outcome(server)).code).toBe(0);
  },
);
