// The version of the program.
import { existsSync, readFileSync } from 'node:fs';

/** The version in package.json, which is next to the folder of the built program, and above that of its sources. */
export function programVersion(): string {
  const file = ['../package.json', '../../package.json']
    .map((path) => new URL(path, import.meta.url))
    .find((place) => existsSync(place));
  if (file === undefined) throw new Error('package.json not found next to the program');
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version;
}
