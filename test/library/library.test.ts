// The library as it is installed: packed, in a fresh folder, from JavaScript and from TypeScript. Every example of its page is run.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { spawnSync } from '../child.js';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'src/manual/library.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'catalog-import-library-'));
const packed = join(folder, 'node_modules/catalog-import');

/** What a file of npm's list holds. */
interface Packed {
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

let files: Packed['files'] = [];

beforeAll(() => {
  // The files that npm would pack, and the packages with code for a machine, which it would install beside them.
  const [, list = '[]'] =
    /(\[[\s\S]*\])\s*$/.exec(run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], root).stdout) ?? [];
  [{ files } = { files }] = JSON.parse(list) as Packed[];
  for (const { path } of files) cpSync(join(root, path), join(packed, path));
  for (const name of [
    'better-sqlite3',
    'better-sqlite3-12',
    'bindings',
    'file-uri-to-path',
    '@types',
    'undici-types',
  ]) {
    const installed = join(root, 'node_modules', name);
    if (existsSync(installed)) symlinkSync(installed, join(folder, 'node_modules', name), 'junction');
  }
});

function run(command: string, args: readonly string[], cwd = folder) {
  const shell = process.platform === 'win32';
  const { status: code, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8', shell });
  return { code, stdout, stderr };
}

/** Runs a module that imports the library. */
function script(text: string) {
  writeFileSync(join(folder, 'script.mjs'), text);
  return run(process.execPath, ['script.mjs']);
}

describe('the library', () => {
  it('does what the examples of its page show', () => {
    const examples = [...page.matchAll(/```js\n([\s\S]*?)```\n\n```output\n([\s\S]*?)```/g)];
    expect(examples.length).toBe(page.match(/```js/g)?.length);
    // In one process, each once the one before is over: that one lets a process end is seen below.
    for (const [i, [, code = '']] of examples.entries()) writeFileSync(join(folder, `example-${i}.mjs`), code);
    const written = script(examples.map((_, i) => `await import('./example-${i}.mjs');\nconsole.log('—');`).join('\n'));
    expect(written).toEqual({ code: 0, stdout: examples.map(([, , output]) => `${output}—\n`).join(''), stderr: '' });
  });

  it('has four names, and nothing else can be imported', () => {
    const { stdout } = script(`
      import * as library from 'catalog-import';
      console.log(Object.keys(library).join());
      for (const path of ['dist/main.js', 'dist/library.js', 'package.json', 'bin/catalog-import.js'])
        console.log(await import('catalog-import/' + path).catch(({ code }) => code));`);
    expect(stdout).toBe(
      `CatalogError,importFile,importItems,openCatalog\n${'ERR_PACKAGE_PATH_NOT_EXPORTED\n'.repeat(4)}`,
    );
  });

  it('handles no signal, writes nothing, and lets the process end', () => {
    const ended = script(`
      import { importFile, openCatalog } from 'catalog-import';
      import { writeFileSync } from 'node:fs';
      const handlers = () => process.eventNames().filter((name) => typeof name === 'string' && /SIG|exit|uncaught|unhandled/.test(name));
      const before = handlers().length;
      // Large enough for a thread of its own, with a column and rows that the command line would tell of.
      const rows = Array.from({ length: 12_000 }, (_, i) => 'P-' + i + ',EUR,' + (i % 7 === 0 ? '-1' : '1.00') + ',' + 'x'.repeat(400));
      writeFileSync('large.csv', 'sku,currency,price,Colour of box\\n' + rows.join('\\n') + '\\n');
      const catalog = await openCatalog('large.db');
      const lines = [];
      const result = await importFile(catalog, 'products', 'large.csv', { onItem: ({ line }) => void lines.push(line), history: false });
      const isInOrder = lines.every((line, i) => line === i + 2);
      await catalog.close();
      if (handlers().length !== before || process.exitCode !== undefined) throw new Error(handlers().join());
      const { created, refused, total, ignored, run } = result;
      writeFileSync('result.json', JSON.stringify({ created, refused, total, ignored, run, isInOrder }));`);
    expect(ended).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(JSON.parse(readFileSync(join(folder, 'result.json'), 'utf8'))).toEqual({
      ...{ created: 10_285, refused: 1715, total: 12_000, ignored: ['Colour of box'], run: null, isInOrder: true },
    });
  });

  it('ends with what onItem throws, and keeps what was told before', () => {
    const { stdout, stderr } = script(`
      import { importItems, openCatalog } from 'catalog-import';
      const catalog = await openCatalog('thrown.db');
      const items = Array.from({ length: 100 }, (_, i) => ({ sku: 'P-' + i, currency: 'EUR' }));
      let told = 0;
      const onItem = () => { if (++told === 50) throw new RangeError('enough'); };
      await importItems(catalog, 'products', items, { onItem }).catch((error) => console.log(error.name, error.message));
      let kept = 0;
      for await (const _ of catalog.list('products')) kept++;
      console.log(kept >= 50);
      for (const wrong of [['shoes', items], ['products', [null]]])
        await importItems(catalog, ...wrong).then(({ refused }) => console.log('refused', refused), ({ code }) => console.log(code));
      await importItems({}, 'products', items).catch(({ code }) => console.log(code));
      await catalog.close();
      await openCatalog('none.db', { create: false }).catch(({ code }) => console.log(code));`);
    expect([stdout, stderr]).toEqual(['RangeError enough\ntrue\nusage\nrefused 1\nusage\ncatalog_unusable\n', '']);
  });

  it('refuses what a program in JavaScript may get wrong, before anything is written', () => {
    const { stdout, stderr } = script(`
      import { importFile, importItems, openCatalog } from 'catalog-import';
      import { writeFileSync } from 'node:fs';
      writeFileSync('wrong.csv', 'sku,currency\\nA,EUR\\n');
      const catalog = await openCatalog('wrong.db');
      const file = (options) => importFile(catalog, 'products', 'wrong.csv', options);
      const items = [{ sku: 'A', currency: 'EUR' }];
      const wrong = [
        () => file({ dryrun: true }), () => file({ dryRun: 'no' }), () => file({ only: 'delete' }), () => file({ onDuplicate: 'keep' }),
        () => file({ maxRefused: NaN }), () => file({ limit: 0 }), () => file({ format: 'xls' }), () => file({ empty: 1 }),
        () => file(null), () => file({ onItem: 1 }), () => file({ signal: {} }),
        () => file({ sheet: 'Prices' }), () => file({ encoding: '' }), () => file({ map: '' }), () => importFile(catalog, 'products', ''),
        () => importFile(catalog, 'products', new URL('https://supplier.example/a.csv')), () => importFile(catalog, 'products', 5),
        () => importItems(catalog, 'products', null), () => importItems(catalog, 'products', items, { map: 'a.yaml' }),
        () => importItems(catalog, 'products', items.values(), { onDuplicate: 'refuse' }),
        () => catalog.read('products', 5), () => catalog.read('products', 'A', { include: ['grade'] }),
        () => catalog.list('products', { changedSince: new Date('soon') }).next(), () => openCatalog(), () => openCatalog('a.db', { readonly: true }),
      ];
      for (const call of wrong)
        console.log(await (async () => call())().then(() => 'done', ({ name, code, message }) => [name, code, message].join(' ')));
      for await (const { sku } of catalog.list('products')) console.log(sku);
      console.log((await importItems(catalog, 'products', [...items, ...items], { onDuplicate: 'refuse', only: undefined })).refused);
      await catalog.close();
      await catalog.close();
      for (const call of [() => catalog.read('products', 'A'), () => catalog.list('products').next(), () => file({})])
        console.log((await call().catch((error) => error)).message);`);
    const [messages, rest] = [stdout.split('\n').slice(0, 25), stdout.split('\n').slice(25)];
    expect(messages.filter((message) => !message.startsWith('CatalogError usage '))).toEqual([]);
    expect(messages[0]).toBe('CatalogError usage dryrun is not an option. Did you mean dryRun?');
    expect(messages[2]).toBe("CatalogError usage only must be one of 'create', 'update'.");
    expect([rest, stderr]).toEqual([['2', ...Array(3).fill('The catalog is closed.'), ''], '']);
  });

  it('notices what the command line notices of items', () => {
    const { stdout, stderr } = script(`
      import { importItems, openCatalog } from 'catalog-import';
      const catalog = await openCatalog('noticed.db');
      const items = [1, 2].map((n) => ({ sku: 'P-' + n, currency: 'EUR', ean: '4006381333932' }));
      await importItems(catalog, 'products', items, { onItem: ({ notices }) => console.log(notices.map(({ code }) => code).join()) });
      await catalog.close();`);
    expect([stdout, stderr]).toEqual(['check_digit_wrong\ncheck_digit_wrong,barcode_shared\n', '']);
  });

  it('a mapping makes the items, and its runs can be undone by the command line', () => {
    writeFileSync(
      join(folder, 'map.yaml'),
      'import:\n  - to: products\n    fields: { sku: Art, price: { column: Cost, number: { decimal: "," } }, currency: { value: EUR } }\n',
    );
    writeFileSync(join(folder, 'mapped.csv'), 'Art;Cost\nA-1;9,90\n');
    const { stdout, stderr } = script(`
      import { importFile, openCatalog } from 'catalog-import';
      const catalog = await openCatalog('mapped.db');
      const { created, run } = await importFile(catalog, 'products', new URL('mapped.csv', import.meta.url), { map: 'map.yaml' });
      console.log(created, run, (await catalog.read('products', 'A-1'))?.price);
      await catalog.close();`);
    expect([stdout, stderr]).toEqual(['1 1 9.90\n', '']);
    const program = join(packed, 'bin/catalog-import.js');
    expect(run(process.execPath, [program, 'undo', '1', '--db', 'mapped.db']).stdout).toMatch(
      /^1 item: 0 restored, 1 suspended/,
    );
  });
});

it('holds the contract of a mapping before the first write, and tells what is only a warning', () => {
  writeFileSync(
    join(folder, 'contract.yaml'),
    'import:\n  - to: products\n    fields: { sku: sku, price: price, currency: { value: EUR } }\n' +
      '    expect: { price: { between: [1, 100] }, warn: { rows: [5, 9] } }\n',
  );
  writeFileSync(join(folder, 'dear.csv'), 'sku,price\nD-1,9.90\nD-2,100.01\n');
  writeFileSync(join(folder, 'kept.csv'), 'sku,price\nD-1,1.00\nD-2,100.00\n');
  const { stdout, stderr } = script(`
    import { importFile, openCatalog } from 'catalog-import';
    const catalog = await openCatalog('contract.db');
    for (const options of [{}, { dryRun: true }])
      await importFile(catalog, 'products', 'dear.csv', { map: 'contract.yaml', ...options }).catch(({ code, message }) => console.log(code, message));
    console.log(await catalog.read('products', 'D-1'));
    const { created, run, warnings } = await importFile(catalog, 'products', 'kept.csv', { map: 'contract.yaml' });
    console.log(created, run, warnings.map(({ code }) => code).join());
    await catalog.close();`);
  expect(stderr).toBe('');
  expect(stdout).toMatch(
    /^(guard_stopped dear\.csv: stopped by a guard; nothing was written\.\n {2}expect: price[\s\S]*100\.01[\s\S]*?){2}undefined\n2 1 expectation_missed,decimals_guessed\n$/,
  );
});

describe('its types', () => {
  it.each([
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ])(
    'are those of a strict project that checks libraries, too, with module %s and resolution %s',
    (module, moduleResolution) => {
      writeFileSync(
        join(folder, 'use.ts'),
        `import { CatalogError, importFile, importItems, openCatalog, type Catalog, type CatalogRecord, type ErrorCode,
        type ImportedItem, type ImportFileOptions, type ImportResult, type ItemNotice, type ResourceName } from 'catalog-import';
      const name: ResourceName = 'products';
      const catalog: Catalog = await openCatalog('a.db', { create: true });
      const options: ImportFileOptions = { onItem: async (item: ImportedItem) => void item.notices.map((one: ItemNotice) => one.code) };
      const result: ImportResult = await importFile(catalog, name, new URL('file:///a.csv'), options);
      await importItems(catalog, 'reviews', [{ external_id: 'r' }], { signal: AbortSignal.timeout(5) });
      const record: CatalogRecord | undefined = await catalog.read('products', 'A', { include: ['grades'] });
      for await (const one of catalog.list('products', { changedSince: new Date() })) console.log(one['sku'], record, result.run);
      const error: ErrorCode | undefined = new CatalogError('usage', 'x').code;
      console.log(error);
      await importFile(catalog, 'shoes', 'a.csv');
      await importFile(catalog, 'products', 'a.csv', { dryrun: true });
      `,
      );
      const compilerOptions = {
        ...{ module, moduleResolution, target: 'es2022', lib: ['es2022'], types: ['node'], strict: true, noEmit: true },
        ...{ skipLibCheck: false, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      };
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['use.ts'] }));
      const compiler = join(root, 'node_modules/typescript/bin/tsc');
      const { stdout } = run(process.execPath, [compiler, '--pretty', 'false']);
      // Of its lines the compiler refuses the last two: there is no such resource, and no such option.
      expect(stdout.match(/^\S.*/gm)).toEqual([
        expect.stringMatching(/^use\.ts\(12,.* '"shoes"' is not assignable /),
        expect.stringMatching(/^use\.ts\(13,.* 'dryrun' does not exist in type /),
      ]);
    },
  );
});

describe('the package', () => {
  it('has no source maps, sources or pictures, and is small', () => {
    const paths = files.map(({ path }) => path);
    expect(paths.filter((path) => /\.map$|\.png$|(?<!\.d)\.ts$|\.test\.|\/node_modules\//.test(path))).toEqual([]);
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    expect(bytes / 1024 / 1024).toBeLessThan(14);
    expect(readdirSync(packed).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'fixtures', 'package.json']);
    for (const part of ['dist/LICENCES.txt', 'dist/page/page.js', 'dist/page/style.css']) expect(paths).toContain(part);
  });
});
