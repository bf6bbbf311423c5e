// Counts values of closed lists that the catalog lacks, each with its first line and nearest existing value. On request,
// writes characteristics that add them without deactivating others.
import type { Catalog } from '../../core/catalog.js';
import type { Entry } from '../../core/entry.js';
import type { Resource } from '../../core/resource.js';
import { resources } from '../../core/resources/index.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { fold, nearestOfMany, quote } from '../../core/text/text.js';
import { writeTextFile } from '../../files/write-text-file.js';
import type { BatchResult, ImportedFile, ImportObserver, MissingValue } from '../../importing/observer.js';
import { withRemarks } from '../run-notes.js';

/** Maximum values that are kept; a feed with more has the wrong column. */
const mostValues = 10_000;
const toldAtMost = 15;

interface Missing {
  readonly type: string;
  readonly value: string;
  /** Its first line in the current file, and its frequency. */
  line: number;
  count: number;
}

/**
 * The observer that collects values missing from closed lists, over all files of an import.
 * @param path where characteristics that add them are written at the end of a file
 */
export function missingValues(path: string | undefined): ImportObserver {
  const missing = new Map<string, Missing>();
  let current: ImportedFile | undefined;
  return {
    begin(file) {
      current = file;
    },
    batch(result) {
      if (result.report.refused > 0) collect(missing, result);
    },
    async finish(outcome) {
      const [characteristics] = resources;
      if (current?.resource.fields['attributes'] === undefined || characteristics === undefined) return undefined;
      const { values, items } = await summaryOf(missing, current.catalog, characteristics);
      const words = wordsOf(values);
      const reported = values.length === 0 ? outcome : { ...outcome, missing: { values, items } };
      if (path === undefined || items.length === 0) return withRemarks(reported, words);
      writeMissing(path, items);
      const remedy = `catalog-import characteristics ${path} adds them, and deactivates none.`;
      return withRemarks(reported, [...words, remedy]);
    },
  };
}

function collect(missing: Map<string, Missing>, { report, lines, entries = [] }: BatchResult): void {
  report.data.forEach((line, i) => {
    for (const { code, field } of line.diagnostics ?? [])
      if (code === 'attribute_value_not_listed') note(missing, entries[i], field, lines[i] ?? 0);
  });
}

/** Ends a file: returns its missing values, the most frequent first; and what would add those of all files. */
async function summaryOf(
  missing: ReadonlyMap<string, Missing>,
  catalog: Pick<Catalog, 'read'>,
  characteristics: Resource,
): Promise<{ readonly values: readonly MissingValue[]; readonly items: readonly object[] }> {
  const sorted = [...missing.values()].sort((a, b) => b.count - a.count);
  const values: MissingValue[] = [];
  const items: object[] = [];
  for (const type of new Set(sorted.map((one) => fold(one.type)))) {
    const own = sorted.filter((one) => fold(one.type) === type);
    const named = own[0]?.type ?? '';
    const selector = named.startsWith(characteristics.prefix) ? { id: named } : { key: named };
    const stored = await catalog.read(characteristics, selector);
    const labels = ((stored?.['values'] ?? []) as readonly { readonly label: string }[]).map(({ label }) => label);
    const characteristic = String(stored?.['name'] ?? named);
    const nearest = nearestOfMany(labels);
    for (const { value, count, line } of own)
      if (count > 0) values.push({ characteristic, value, count, line, nearest: nearest(value) });
    items.push(additionTo(characteristic, own, stored?.['kind'] === 'colour'));
  }
  for (const one of sorted) one.count = 0;
  return { values, items };
}

function wordsOf(values: readonly MissingValue[]): string[] {
  const more = values.length - toldAtMost;
  const others = more > 0 ? [`and ${more} more values that are in no list`] : [];
  return [...values.slice(0, toldAtMost).map(missingWords), ...others];
}

function missingWords({ characteristic, value, count, line, nearest: near }: MissingValue): string {
  const hint = near === undefined ? '' : `. Did you mean ${quote(near)}?`;
  const where = count === 1 ? `once, on line ${line}` : `${count} times, first on line ${line}`;
  return `${sanitizeText(characteristic)}: ${quote(value)} is not in its list: ${where}${hint}`;
}

/** A characteristic that adds values to its list, whatever that has by then. A colour without hex is refused, so that a person adds it. */
function additionTo(name: string, own: readonly Missing[], isColour: boolean): object {
  const hex = isColour ? { hex: '' } : {};
  return {
    name,
    ...(isColour && { kind: 'colour' }),
    values: { add: own.map(({ value }) => ({ label: value, ...hex })) },
  };
}

function note(missing: Map<string, Missing>, sent: Entry | undefined, path: string, line: number): void {
  const item = sent === undefined || sent.kind === 'unreadable' ? undefined : sent.item;
  const at = /^attributes\[(\d+)\]\.value$/.exec(path)?.[1];
  const attributes = (item as { readonly attributes?: unknown } | undefined)?.attributes;
  const entry =
    at === undefined || !Array.isArray(attributes)
      ? undefined
      : (attributes[Number(at)] as { type?: unknown; value?: unknown });
  if (typeof entry?.type !== 'string' || typeof entry.value !== 'string') return;
  const id = `${fold(entry.type.trim())}\0${fold(entry.value.trim())}`;
  const known = missing.get(id);
  if (known !== undefined) {
    if (known.count++ === 0) known.line = line;
  } else if (missing.size < mostValues)
    missing.set(id, { type: entry.type.trim(), value: entry.value.trim(), line, count: 1 });
}

/** Writes characteristics as a file that can be imported. @throws CatalogError `usage` where it cannot be written */
function writeMissing(path: string, items: readonly object[]): void {
  writeTextFile(`--write-missing-values ${path}`, path, `${JSON.stringify(items, undefined, 2)}\n`);
}
