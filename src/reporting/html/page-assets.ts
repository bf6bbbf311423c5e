// The script and the style of a page, which the build puts next to the program. Run from its sources, it takes those of the
// last build.
import { readFileSync } from 'node:fs';
import type { PageAssets } from './page.js';

const folder = new URL(import.meta.url.endsWith('.ts') ? '../../../dist/page/' : './page/', import.meta.url);

/** Reads them on first use: only a page needs them. */
export function readPageAssets(): PageAssets {
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8').trim();
  return { script: read('page.js'), style: read('style.css') };
}
