// Builds the program into dist/: the sources bundled, with the files that they read at run time beside them. It runs with
// nothing built yet, and so is no TypeScript. `npm install` runs it in a clone (prepare of the workspace store/drivers).
import { cpSync, existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const dist = path('../dist');

/** esbuild, or undefined where the development packages were left out, as by `npm ci --omit=dev`. */
async function loadEsbuild() {
  try {
    return await import('esbuild');
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

async function build(esbuild) {
  rmSync(dist, { recursive: true, force: true });
  cpSync(path('store/sqlite/schema'), `${dist}/schema`, { recursive: true });
  cpSync(path('store/postgres/steps'), `${dist}/steps`, { recursive: true });
  cpSync(path('manual'), `${dist}/manual`, { recursive: true });
  cpSync(path('http/server/docs'), `${dist}/docs`, { recursive: true });
  // Of the package of 12 MB the page of /docs needs two files; its licence goes with them.
  for (const name of [
    'swagger-ui-bundle.js',
    'swagger-ui-bundle.js.LICENSE.txt',
    'swagger-ui.css',
    'LICENSE',
    'NOTICE',
  ])
    cpSync(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)), `${dist}/docs/${name}`);
  // One file for what is loaded together, since each file costs up to half a millisecond at start-up. Threads are built by
  // themselves: code that they share with the program would be cut into more files for all.
  for (const entry of ['main.ts', 'source/worker/reader-thread.ts', 'cli/serve/import-thread.ts'])
    await bundle(esbuild, entry);
  await buildPage(esbuild);
}

function bundle(esbuild, entry) {
  return esbuild.build({
    entryPoints: [path(entry)],
    outdir: dist,
    entryNames: '[name]',
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: true,
    logLevel: 'warning',
  });
}

/** The script and the style of HTML reports: read where one is written, and put into it. */
function buildPage(esbuild) {
  return esbuild.build({
    entryPoints: { page: path('reporting/html/browser/main.ts'), style: path('reporting/html/browser/page.css') },
    outdir: `${dist}/page`,
    bundle: true,
    minify: true,
    target: ['chrome111', 'firefox113', 'safari16.4'],
    charset: 'utf8',
    format: 'iife',
    logLevel: 'warning',
  });
}

const esbuild = await loadEsbuild();
if (esbuild !== undefined) await build(esbuild);
else if (process.env['npm_lifecycle_event'] !== 'prepare' || !existsSync(`${dist}/main.js`)) {
  console.error('Not built: esbuild is not installed. Run npm ci, which installs the development packages and builds.');
  process.exitCode = process.env['npm_lifecycle_event'] === 'prepare' ? 0 : 1;
}
