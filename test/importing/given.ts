// Folders with files to be imported, and sources without a file.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Chunk, Source } from '../../src/source/open-source.js';

/** A folder of its own with these files; it goes with the test that asks for it. */
export function folder(files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'importing-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A source that yields these chunks. */
export function sourceOf(chunks: AsyncIterable<Chunk>): Source {
  return {
    found: { format: 'csv', encoding: 'utf-8', delimiter: ',', compression: undefined },
    chunks,
    progress: () => ({ read: 0, size: undefined }),
    unknown: () => new Map(),
    columns: () => [],
    leftOut: () => 0,
    overflowed: () => false,
    notes: () => [],
    warnings: () => [],
    close: async () => undefined,
  };
}
