// The client library: an optional package, loaded for an address of PostgreSQL only.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { productTable } from '../../../src/core/resources/product-table.js';
import { rowOf } from '../../../src/store/postgres/load-rows.js';
import { typedAsProcess } from '../../cli/started.js';

const folder = mkdtempSync(join(tmpdir(), 'catalog-client-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Node without the package: importing it fails as where it is not installed. */
const hooks = `export function resolve(name, context, next) {
  if (name !== 'pg') return next(name, context);
  throw Object.assign(new Error('Cannot find package pg'), { code: 'ERR_MODULE_NOT_FOUND' });
}`;
const dataUrl = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
const without = `--import=${dataUrl(`import { register } from 'node:module'; register(${JSON.stringify(dataUrl(hooks))});`)}`;

describe('without the package pg', () => {
  it('a command on an address ends with 2 and the command that installs it', async () => {
    const { code, stderr } = await typedAsProcess(folder, ['keys', 'list', '--db', 'postgres://localhost/shop'], {
      env: { NODE_OPTIONS: without },
    });
    expect(stderr).toContain('npm install pg@8');
    expect(code).toBe(2);
  });

  it('a command on a file needs no such package', async () => {
    const { code, stderr } = await typedAsProcess(folder, ['db', 'migrate', '--db', 'shop.db'], {
      env: { NODE_OPTIONS: without },
    });
    expect(code, stderr).toBe(0);
  });
});

it('is loaded without the HTTP client of Node.js, and leaves no navigator behind', async () => {
  const told = `process.on('exit', () => {
    const loaded = process.moduleLoadList.filter((name) => name.endsWith('/undici')).length;
    console.error(\`undici \${loaded}, navigator \${'navigator' in globalThis}\`);
  });`;
  const { code, stderr } = await typedAsProcess(folder, ['keys', 'list', '--db', 'postgres://127.0.0.1:1/shop'], {
    env: { NODE_OPTIONS: `--import=${dataUrl(told)}` },
  });
  expect(code, stderr).toBe(7);
  expect(stderr).toContain(`undici 0, navigator ${'navigator' in globalThis}`);
});

it('makes the same rows by code and by the plain form', () => {
  const cells = productTable.columns.map((name, i) => (i % 3 === 0 ? null : i % 2 === 0 ? i : name));
  expect(rowOf(productTable, cells)).toEqual(
    Object.fromEntries(productTable.columns.map((name, i) => [name, cells[i]])),
  );
});
