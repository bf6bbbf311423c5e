// Folders with files to be imported.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own with these files; it goes with the test that asks for it. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'importing-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
