// Reads the lines of a plan file: each of bounded length, with the offset of the next line.
import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { CatalogError } from '../../core/errors.js';
import { longestLine, planError } from './plan-format.js';

/** An open plan file. */
export interface PlanFile {
  readonly path: string;
  readonly descriptor: number;
  readonly size: number;
  /** Its modification time when it was opened. */
  readonly modified: number;
}

/** A line, with the offset of the next one. */
export interface ReadLine {
  readonly text: string;
  readonly next: number;
}

const blockSize = 1024 * 1024;
const newline = 0x0a;

/** @throws CatalogError `input_unreadable` if it cannot be opened */
export function openPlanFile(path: string): PlanFile {
  try {
    const descriptor = openSync(path, 'r');
    const found = fstatSync(descriptor);
    if (found.isDirectory()) throw new Error('is a folder; name the plan in it');
    const { size, mtimeMs } = found;
    return { path, descriptor, size, modified: mtimeMs };
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === 'ENOENT' ? 'file not found' : (cause as Error).message;
    throw new CatalogError('input_unreadable', `${path}: ${why}.`, { cause });
  }
}

/** @throws CatalogError `usage` if the file was modified since it was opened */
export function checkUntouched({ path, descriptor, size, modified }: PlanFile): void {
  const now = fstatSync(descriptor);
  if (now.size !== size || now.mtimeMs !== modified)
    throw new CatalogError('usage', `${path}: the plan was changed while it was read.`);
}

/** Closes a plan file. */
export function closePlanFile({ descriptor }: PlanFile): void {
  closeSync(descriptor);
}

/**
 * The lines from an offset on; text after the last line break is not a line.
 * @param hash updated with the bytes of every line before the one that is yielded
 * @throws CatalogError `usage` for a line that is too long
 */
export function* planLines(file: PlanFile, from: number, hash?: Hash): Generator<ReadLine> {
  const block = Buffer.allocUnsafe(blockSize);
  let parts: Buffer[] = [];
  let held = 0;
  let at = from;
  for (;;) {
    const count = readSync(file.descriptor, block, 0, blockSize, at);
    if (count === 0) return;
    let begin = 0;
    for (let end = block.indexOf(newline); end !== -1 && end < count; end = block.indexOf(newline, begin)) {
      parts.push(block.subarray(begin, end + 1));
      const line = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
      yield { text: line.toString('utf8', 0, line.length - 1), next: at + end + 1 };
      hash?.update(line);
      parts = [];
      held = 0;
      begin = end + 1;
    }
    if (begin < count) {
      held += count - begin;
      if (held > longestLine) throw planError(file.path, 'the file is not a plan, or damaged');
      parts.push(Buffer.from(block.subarray(begin, count)));
    }
    at += count;
  }
}

/** A hash of the lines of a plan. */
export function planHash(): Hash {
  return createHash('sha256');
}
