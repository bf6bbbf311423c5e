// The resource that the columns of a file fit plainly, for messages to who named another one, or none.
import type { Resource } from '../core/resource.js';
import { resources } from '../core/resources/index.js';
import { foundAt } from '../files/found-file.js';
import { inspectFile } from '../source/inspection/inspect-file.js';

/** Larger files are not read for a message, in bytes. */
const largest = 32 * 1024 * 1024;

/** The resource; undefined where the file cannot be read, or where more than one resource fits, or none. */
export async function fittingResource(file: string): Promise<Resource | undefined> {
  const found = foundAt(file);
  if (found?.isFile() !== true || found.size > largest) return undefined;
  const inspection = await inspectFile({ file }).catch(() => undefined);
  // `attributes[1].name` and `seo.title` are columns of `attributes` and `seo`.
  const columns = new Set(
    inspection?.columns.map(({ name }) =>
      name
        .trim()
        .toLowerCase()
        .replace(/[[.].*$/s, ''),
    ),
  );
  return fitting(columns);
}

/** The resource that has its key and the most fields among these columns. */
function fitting(columns: ReadonlySet<string>): Resource | undefined {
  const [best, next] = resources
    .map((resource) => ({
      resource,
      count: columns.has(resource.key) ? Object.keys(resource.fields).filter((field) => columns.has(field)).length : 0,
    }))
    .sort((a, b) => b.count - a.count);
  return best !== undefined && best.count > 1 && best.count > (next?.count ?? 0) ? best.resource : undefined;
}
