// Builds the program into dist/: the sources bundled, with the files that they read at run time next to them. It runs with
// nothing built yet, and so is not TypeScript. `npm install` runs it in a clone (prepare of the workspace store/drivers).
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const dist = path('../dist');
/** Where a build is made, and where the one before goes: a command that starts meanwhile finds the whole program. */
const [made, replaced] = [`${dist}.new`, `${dist}.old`];
const root = path('..');
/** In a build, the hash of what it was made of: made again it would be the same. */
const inputsFile = 'inputs.sha256';

/** The modules of a folder. */
const modulesIn = (folder) =>
  readdirSync(path(folder), { recursive: true })
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .sort()
    .map((name) => `${folder}/${name}`);

/**
 * What is loaded together, as one file each with all it imports: by every command, by every command that opens a catalog, by those
 * that decide about items, and by every import. Node opens all files that a file imports at once, and may have few descriptors.
 */
const groups = {
  base: [
    ...['core/errors.ts', 'core/text/sanitize.ts', 'core/text/text.ts', 'core/timed-step.ts'],
    ...['core/text/byte-order.ts', 'core/text/mask-credentials.ts', 'core/rows/compile-function.ts'],
    ...[
      'cli/exit-codes.ts',
      'cli/command-entry.ts',
      'cli/shared-options.ts',
      'cli/help-layout.ts',
      'cli/terminal-output.ts',
      'cli/idle-options.ts',
      'cli/lost-output.ts',
      'cli/shell-word.ts',
    ],
    ...['cli/config/find-config.ts', 'cli/manual/manual-pages.ts', 'files/found-file.ts'],
  ],
  records: ['store/open.ts', 'store/catalog-path.ts', 'store/program-version.ts', 'cli/commands/records/get.ts'],
  catalog: [...modulesIn('core'), ...modulesIn('files'), 'store/environment.ts'],
  ledger: modulesIn('store/ledger'),
  lists: ['cli/commands/records/list.ts', 'cli/commands/ledger/runs.ts', 'cli/commands/records/export.ts'],
  source: ['source/open-source.ts', 'source/csv/csv-records.ts'],
  import: ['cli/commands/import/import.ts', 'cli/import/import-files.ts'],
};

const options = {
  outdir: made,
  bundle: true,
  // Only what has code for each machine, or is used where it is installed, is a dependency of the packed program. All else is in it.
  external: ['better-sqlite3', 'better-sqlite3-12', 'pg', 'pg-native', 'esbuild'],
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Packages that are CommonJS ask for modules of Node.
  banner: {
    js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
  },
  sourcemap: true,
  metafile: true,
  logLevel: 'warning',
};

/** Of the list of languages, which has 0.8 MB of names, only the codes. */
const languageCodes = {
  name: 'language-codes',
  setup(build) {
    build.onLoad({ filter: /[\\/]iso-639-3[\\/]iso6393\.js$/ }, async () => {
      const { iso6393 } = await import('iso-639-3');
      const codes = iso6393.map(({ iso6393: code }) => code).join(' ');
      return { contents: `export const iso6393 = '${codes}'.split(' ').map((iso6393) => ({ iso6393 }));` };
    });
  },
};

/** Large packages, and those that several bundles need: each is one file beside them, since any-ascii alone has half a megabyte. */
const shared = [
  ...['any-ascii', 'commander', 'csv-parse/sync', 'fastify', 'iconv-lite', 'jschardet', 're2js', 'saxes', 'undici'],
  ...['yaml', 'yauzl'],
];
const sharedFile = (name) => `${name.replace('/', '-')}.js`;

const sharedPackages = {
  name: 'shared-packages',
  setup(build) {
    const filter = new RegExp(`^(?:${shared.join('|')})$`);
    build.onResolve({ filter }, ({ path: name }) => ({ path: `./${sharedFile(name)}`, external: true }));
  },
};

/** The modules that decide what becomes of an item, with all that they import. */
const rules = ['core/planning/plan-batches.ts', 'core/resources/index.ts', 'store/environment.ts'];

/** esbuild, or undefined where the development packages were left out, as by `npm ci --omit=dev`. */
async function loadEsbuild() {
  try {
    return await import('esbuild');
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A hash of all that a build is made of: of packages, the versions that the lock file names. */
function hashOfInputs() {
  const sources = readdirSync(path('.'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = sources.map(({ parentPath, name }) => resolve(parentPath, name));
  const others = ['package.json', 'package-lock.json'].map((name) => resolve(root, name)).filter(existsSync);
  const hash = createHash('sha256').update(process.version);
  for (const file of [...files, ...others].sort())
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex');
}

async function build(esbuild, inputs) {
  options.define = { RULES_HASH: JSON.stringify(await rulesHash(esbuild)) };
  for (const left of [made, replaced]) rmSync(left, { recursive: true, force: true });
  cpSync(path('store/sqlite/schema'), `${made}/schema`, { recursive: true });
  cpSync(path('store/postgres/steps'), `${made}/steps`, { recursive: true });
  // help shows text: the pictures are for who reads the pages elsewhere.
  cpSync(path('manual'), `${made}/manual`, { recursive: true, filter: (name) => !name.endsWith('.png') });
  cpSync(path('http/server/docs'), `${made}/docs`, { recursive: true });
  // Of the package of 12 MB the page of /docs needs two files; its licence goes with them.
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ])
    cpSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)), `${made}/docs/${name}`);
  // One file for what is loaded together, since each file costs up to half a millisecond at start-up. Threads are built by
  // themselves: code that they share with the program would be cut into more files for all.
  for (const name of shared) await bundleShared(esbuild, name);
  for (const entry of ['source/worker/reader-thread.ts', 'cli/serve/import-thread.ts']) await bundle(esbuild, [entry]);
  const { plugins, lazy } = await bundleGroups(esbuild);
  await bundle(esbuild, ['main.ts', 'library/library.ts'], plugins, lazy);
  declareTypes();
  await buildPage(esbuild);
  await writeBuildArtifacts(esbuild);
  writeLicences();
  writeFileSync(`${made}/${inputsFile}`, inputs);
  if (existsSync(dist)) renameSync(dist, replaced);
  renameSync(made, dist);
  rmSync(replaced, { recursive: true, force: true });
}

/** A hash of the sources that decide about items: what an earlier build decided is recognized only where every rule is the same. */
async function rulesHash(esbuild) {
  const analysis = { ...options, write: false, sourcemap: false, entryPoints: rules.map(path) };
  const { inputs } = (await esbuild.build(analysis)).metafile;
  const hash = createHash('sha256');
  for (const file of Object.keys(inputs)
    .map((file) => resolve(file))
    .sort())
    hash.update(`\0${relative(root, file)}\0`).update(readFileSync(file));
  return hash.digest('hex').slice(0, 32);
}

/** @param lazy further entries, by their names: what groups load when it is needed */
async function bundle(esbuild, entries, plugins = [], lazy = new Map()) {
  const named = new Map(entries.map((entry) => [basename(entry, '.ts'), path(entry)]));
  const how = {
    entryPoints: Object.fromEntries([...named, ...lazy]),
    splitting: true,
    plugins: [languageCodes, sharedPackages, ...plugins],
  };
  collectPackages(await esbuild.build({ ...options, ...how }));
}

/** Bundles a package with what it imports. Nobody reads it: without blanks it is a fifth smaller. */
async function bundleShared(esbuild, name) {
  const names = Object.keys(await import(name)).filter((one) => /^\w+$/.test(one) && one !== 'module.exports');
  const stdin = { contents: `export { ${names.join(', ')} } from '${name}';`, resolveDir: root };
  const how = {
    outdir: undefined,
    outfile: `${made}/${sharedFile(name)}`,
    stdin,
    minifyWhitespace: true,
    lineLimit: 200,
  };
  collectPackages(await esbuild.build({ ...options, ...how }));
}

/** The folders of the packages that are part of the program. */
const packages = new Set();

function collectPackages({ metafile }) {
  for (const file of Object.keys(metafile.inputs)) {
    const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^./][^/]*/.exec(resolve(file)) ?? [];
    if (folder !== undefined) packages.add(folder);
  }
}

/** Writes the types of the library, which name nothing of what is inside but its errors. */
function declareTypes() {
  const files = ['library/library.ts', 'library/library-api.ts', 'core/errors.ts'].map(path);
  const alone = ['--module', 'nodenext', '--target', 'es2023', '--ignoreConfig', '--noResolve', '--noCheck'];
  const written = ['--declaration', '--emitDeclarationOnly', '--rootDir', path('.'), '--outDir', `${made}/types`];
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
  execFileSync(process.execPath, [tsc, ...files, ...alone, ...written], { stdio: 'inherit' });
}

/** Writes the licences of these packages, which they ask for where they are passed on. */
function writeLicences() {
  const texts = [...packages].sort().map((folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'));
    const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
    const wordings = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8').trim());
    // Some only name it.
    const by = `By ${author?.name ?? author}, as its package.json says.`;
    return [`${name} ${version} (${license})`, ...(wordings.length > 0 ? wordings : [by])].join('\n\n');
  });
  writeFileSync(`${made}/LICENCES.txt`, `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
}

/**
 * Bundles each group of modules into a file of its own: left to itself, esbuild cuts a file for every set of commands that
 * share a module, which are dozens, most of one module.
 * @returns plugins that have the modules of all groups imported from these files, and the modules that these files load when
 *   they are needed, which have to be files by these names
 */
async function bundleGroups(esbuild) {
  const plugins = [];
  const grouped = new Set();
  const lazy = new Map();
  for (const [group, entries] of Object.entries(groups)) {
    const modules = (await modulesOf(esbuild, entries)).filter(({ file }) => !grouped.has(file));
    for (const { file } of modules) grouped.add(file);
    const names = (i, exports) => exports.map((name) => `${name} as ${name}_${i}`).join(', ');
    const contents = modules.map(
      ({ file, exports }, i) => `export { ${names(i, exports)} } from ${JSON.stringify(file)};`,
    );
    const stdin = { contents: contents.join('\n'), resolveDir: path('.') };
    const outfile = `${made}/${group}.js`;
    const how = { outdir: undefined, outfile, stdin, plugins: [sharedPackages, loadedLater(lazy), ...plugins] };
    collectPackages(await esbuild.build({ ...options, ...how }));
    plugins.push(importedFrom(group, modules));
  }
  return { plugins, lazy };
}

/** Whether a module is none of the program's: of Node, or of a package that is installed beside it. */
const isOutside = (specifier) => specifier.startsWith('node:') || options.external.includes(specifier);

/** Leaves out of a group what it loads when it is needed. @param lazy gets these modules, by the names of their files */
function loadedLater(lazy) {
  return {
    name: 'loaded-later',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path: specifier, kind, resolveDir }) => {
        if (kind !== 'dynamic-import' || isOutside(specifier)) return undefined;
        const file = importedFile(specifier, resolveDir);
        const name = /^\./.test(specifier) ? relative(path('.'), file).replace(/\.ts$/, '') : specifier;
        lazy.set(name.replace(/[\\/]/g, '-'), file);
        return { path: `./${name.replace(/[\\/]/g, '-')}.js`, external: true };
      });
    },
  };
}

/** The modules that are loaded with these ones, themselves included, with the names that they export. */
async function modulesOf(esbuild, entries) {
  const { external, ...alone } = { ...options, write: false, sourcemap: false };
  // As one bundle: each by itself would be bundled with all that it imports.
  const contents = entries.map((entry) => `import ${JSON.stringify(path(entry))};`).join('\n');
  const whole = { ...alone, external, stdin: { contents, resolveDir: root }, plugins: [sharedPackages] };
  const { inputs } = (await esbuild.build(whole)).metafile;
  const files = new Set(entries.map((entry) => relative(process.cwd(), path(entry)).replaceAll('\\', '/')));
  for (const file of files)
    for (const { path: imported, kind } of inputs[file].imports)
      if (kind !== 'dynamic-import' && imported in inputs) files.add(imported);
  const { outputs } = (await esbuild.build({ ...alone, bundle: false, entryPoints: [...files] })).metafile;
  return Object.values(outputs)
    .map(({ entryPoint, exports }) => ({ file: resolve(entryPoint), exports }))
    .filter(({ exports }) => exports.length > 0);
}

/**
 * In the place of each module of a group there is one that exports the same from the file of the group: one for each module
 * that imports it, as esbuild would cut a file for one that several share.
 */
function importedFrom(group, modules) {
  const places = new Map(modules.map(({ file }, i) => [file, i]));
  return {
    name: group,
    setup(build) {
      build.onResolve(
        { filter: /^\.{1,2}\/.*\.js$|^[a-z@][^:]*$|\.ts$/ },
        ({ path: specifier, importer, resolveDir }) => {
          const file = importedFile(specifier, resolveDir);
          if (!places.has(file)) return undefined;
          // Source maps show this path: it is one within the project.
          const shown = `${relative(root, file)} for ${relative(root, importer)}`;
          return { path: shown, namespace: group, pluginData: places.get(file), sideEffects: false };
        },
      );
      build.onResolve({ filter: new RegExp(`^group:${group}$`) }, () => ({ path: `./${group}.js`, external: true }));
      build.onLoad({ filter: /.*/, namespace: group }, ({ pluginData: i }) => {
        const names = modules[i].exports.map((name) => `${name}_${i} as ${name}`).join(', ');
        return { contents: `export { ${names} } from 'group:${group}';`, resolveDir: path('.') };
      });
    },
  };
}

/** The file that is meant by what a module of a folder imports, or an entry's own; undefined for a package that is not there. */
function importedFile(specifier, folder) {
  if (/^\.|\.ts$/.test(specifier)) return resolve(folder, specifier.replace(/\.js$/, '.ts'));
  try {
    return fileURLToPath(import.meta.resolve(specifier));
  } catch {
    return undefined;
  }
}

/** What the program makes of itself: man pages and the schema of its configuration file. Its code is bundled, run, and removed. */
async function writeBuildArtifacts(esbuild) {
  const outfile = `${made}/made-by-build.js`;
  const entryPoints = [path('cli/manual/build-artifacts.ts')];
  const how = { outdir: undefined, outfile, entryPoints, sourcemap: false, plugins: [languageCodes, sharedPackages] };
  await esbuild.build({ ...options, ...how });
  const { writeBuildArtifacts: write } = await import(pathToFileURL(outfile));
  await write(made, process);
  rmSync(outfile);
}

/** The script and the style of HTML reports: read where one is written, and put into it. */
function buildPage(esbuild) {
  return esbuild.build({
    entryPoints: { page: path('reporting/html/browser/main.ts'), style: path('reporting/html/browser/page.css') },
    outdir: `${made}/page`,
    bundle: true,
    minify: true,
    target: ['chrome111', 'firefox113', 'safari16.4'],
    charset: 'utf8',
    format: 'iife',
    logLevel: 'warning',
  });
}

const esbuild = await loadEsbuild();
if (esbuild !== undefined) {
  const inputs = hashOfInputs();
  const built = existsSync(`${dist}/${inputsFile}`) ? readFileSync(`${dist}/${inputsFile}`, 'utf8') : '';
  if (inputs !== built) await build(esbuild, inputs);
} else if (process.env['npm_lifecycle_event'] !== 'prepare' || !existsSync(`${dist}/main.js`)) {
  console.error('Not built: esbuild is not installed. Run npm ci, which installs the development packages and builds.');
  process.exitCode = process.env['npm_lifecycle_event'] === 'prepare' ? 0 : 1;
}
