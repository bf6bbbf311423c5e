// Tells of products whose barcode an earlier row of the file has for another product. Of the catalog that is not known: to look
// each barcode up would take an index, which every new product would pay for.
import { messageText } from '../core/diagnostics/message-text.js';
import type { Entry } from '../core/entry.js';
import { recordKey } from '../core/fields/record-key.js';
import type { Diagnostic, Line } from '../core/import-report.js';
import type { Resource } from '../core/resource.js';
import { type KeyHashSet, keyOfEntry, newKeyHashSet } from '../source/open-source.js';
import type { ImportObserver } from './observer.js';

/** Barcodes that are compared, in 6 MB, and as many pairs of barcode and key. */
const mostBarcodes = 350_000;

/** What was seen of the barcodes of one file. */
interface SeenBarcodes {
  readonly resource: Resource;
  readonly field: string;
  readonly codes: KeyHashSet;
  /** Barcodes with the key of their product. */
  readonly pairs: KeyHashSet;
}

/** An observer that adds the notice to the lines of a batch, for those after it. */
export function sharedBarcodes(): ImportObserver {
  let seen: SeenBarcodes | undefined;
  return {
    begin({ resource }) {
      const { barcode: field } = resource;
      const [codes, pairs] = [newKeyHashSet(mostBarcodes), newKeyHashSet(mostBarcodes)];
      seen = field === undefined ? undefined : { resource, field, codes, pairs };
    },
    batch(result) {
      const { report, entries = [], lines } = result;
      const found = seen === undefined ? [] : sharedIn(seen, entries, lines);
      if (seen === undefined || found.length === 0) return undefined;
      const told = new Map(found.map((one) => [one.index, notice(one, seen?.field ?? '')]));
      const data = report.data.map((line, i) => withNotice(line, told.get(i)));
      return { ...result, report: { ...report, data } };
    },
  };
}

/** A row whose barcode another product has on an earlier line. */
interface SharedBarcode {
  readonly index: number;
  readonly code: string;
  readonly line: number;
}

function sharedIn(
  { resource, field, codes, pairs }: SeenBarcodes,
  entries: readonly Entry[],
  lines: readonly number[],
): SharedBarcode[] {
  const key = recordKey(resource.fields, resource.key);
  return entries.flatMap((entry, index): SharedBarcode[] => {
    if (entry.kind === 'unreadable' || entry.kind === 'settled') return [];
    const code = (entry.item as Readonly<Record<string, unknown>> | null)?.[field];
    if (typeof code !== 'string' || code.trim() === '') return [];
    const first = codes.before(code.trim(), lines[index] ?? 0);
    const isOwn = pairs.before(`${code.trim()}\0${key.same(keyOfEntry(key, entry))}`, 0) !== undefined;
    return first === undefined || isOwn ? [] : [{ index, code, line: first }];
  });
}

function notice({ code: value, line }: SharedBarcode, field: string): Diagnostic {
  const params = { line };
  return { code: 'barcode_shared', field, message: messageText('barcode_shared', field, value, params), value, params };
}

/** What is refused has problems of its own. */
function withNotice(line: Line, told: Diagnostic | undefined): Line {
  if (told === undefined || line.action === 'refused') return line;
  const { code, field, message } = told;
  const notices = [...line.notice, { code, field, message }];
  return { ...line, notice: notices, diagnostics: [...(line.diagnostics ?? []), told] };
}
