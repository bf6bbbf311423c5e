// `run --map` on a folder of --refused-file: finds the section of the mapping for each file with rows, and the resource
// of each with items. The files are named as they were written (reporting/refused/refused-file.ts): after the feed, or
// `products.feed.csv` and `products.2.feed.csv` where several sections read one feed; `products.feed.items.ndjson`.

import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { CatalogError } from '../../../core/errors.js';
import type { Resource } from '../../../core/resource.js';
import { foundAt } from '../../../files/found-file.js';
import { itemsEnding } from '../../../source/column-targets.js';
import type { MappingSection } from '../../../source/mapping/mapping.js';
import { sentBack } from '../../../source/sent-back.js';
import type { Job } from '../import-job.js';

interface RefusedSection {
  readonly resource: Resource;
  readonly mapped: MappingSection;
}

/** Bytes at the start of a file that are searched for the columns of refused rows. */
const headBytes = 65_536;

/**
 * The jobs of a folder of refused rows; undefined for any other folder.
 * @throws CatalogError `usage` for a file that belongs to no section
 */
export function refusedJobs(
  folder: string,
  map: string,
  sections: readonly RefusedSection[],
): readonly Job[] | undefined {
  const names = readdirSync(folder).filter(
    (name) => !name.startsWith('.') && foundAt(join(folder, name))?.isFile() === true,
  );
  if (names.length === 0 || !names.every((name) => isOfRefusedRows(join(folder, name)))) return undefined;
  const left = new Set(names);
  const items = names.flatMap((name): Job[] => {
    const own = name.endsWith(itemsEnding) ? sections.find(({ resource }) => isNamed(name, resource)) : undefined;
    if (own === undefined) return [];
    left.delete(name);
    return [{ resource: own.resource, file: join(folder, name) }];
  });
  const rows = sections.flatMap(({ resource, mapped }, i): Job[] => {
    const name = [...left].find((one) => isOf(one, i, sections));
    if (name === undefined) return [];
    left.delete(name);
    return [{ resource, file: join(folder, name), mapped }];
  });
  if (left.size === 0) return [...items, ...rows];
  throw new CatalogError(
    'usage',
    `${folder}: no section of ${map} reads ${[...left].join(', ')}; nothing was imported. Import it by its resource.`,
  );
}

function isNamed(name: string, { command }: Resource): boolean {
  return name.startsWith(`${command}.`);
}

/** Whether a file contains rows that a section refused. */
function isOf(name: string, at: number, sections: readonly RefusedSection[]): boolean {
  const own = sections[at];
  if (own === undefined) return false;
  const { resource, mapped } = own;
  const { file } = mapped.section;
  const alike = sections.filter(({ mapped: other }) => other.section.file === file);
  if (alike.length === 1 && (file === undefined || withoutEnding(name) === withoutEnding(file))) return true;
  const [, number = '1', rest] = new RegExp(`^${resource.command}\\.(?:(\\d+)\\.)?(.+)$`).exec(name) ?? [];
  const before = sections.slice(0, at).filter((one) => one.resource === resource).length;
  return rest !== undefined && Number(number) === before + 1;
}

/** Refused rows of compressed files and workbooks are written in another format. */
function withoutEnding(name: string): string {
  return name.replace(/\.gz$/i, '').replace(/\.[^.]*$/, '');
}

/** A file of refused rows contains their codes and reasons: in named columns or, without a header, after the cells. */
function isOfRefusedRows(path: string): boolean {
  const bytes = Buffer.alloc(headBytes);
  const file = openSync(path, 'r');
  const length = readSync(file, bytes, 0, headBytes, 0);
  closeSync(file);
  // Decoded as Latin 1, ASCII text is readable in any encoding, with NULs in between for UTF-16.
  return sentBack(bytes.toString('latin1', 0, length).replaceAll('\0', '')) !== undefined;
}
