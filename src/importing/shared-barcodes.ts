// Tells of products whose barcode an earlier row of the file has for another product. Of the catalog that is not known: to look
// each barcode up would take an index, which every new product would pay for.
import { messageText } from '../core/diagnostics/message-text.js';
import type { Entry } from '../core/entry.js';
import { type RecordKey, recordKey } from '../core/fields/record-key.js';
import type { Diagnostic, Line } from '../core/import-report.js';
import { barcodeNumber } from '../core/text/gtin.js';
import { hashText } from '../core/text/hash-text.js';
import { type KeyHashSet, newKeyHashSet } from '../source/open-source.js';
import type { ImportObserver } from './observer.js';

/** Barcodes that are compared, in 12 MB. */
const mostBarcodes = 350_000;

/** What was seen of the barcodes of one file. */
interface SeenBarcodes {
  readonly field: string;
  readonly key: RecordKey;
  /** Each barcode with its number among them, from 0. */
  readonly codes: KeyHashSet;
  /** By this number: the line of its first row, and a hash of the key of its product. */
  readonly lines: number[];
  readonly products: number[];
}

/** An observer that adds the notice to the lines of a batch, for those after it. */
export function sharedBarcodes(): ImportObserver {
  let seen: SeenBarcodes | undefined;
  return {
    begin({ resource: { barcode: field, fields, key } }) {
      const none = { codes: newKeyHashSet(mostBarcodes), lines: [], products: [] };
      seen = field === undefined ? undefined : { field, key: recordKey(fields, key), ...none };
    },
    batch(result) {
      const { report, entries = [], lines } = result;
      const found = seen === undefined ? [] : sharedIn(seen, { entries, lines, data: report.data });
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

interface ReportedRows {
  readonly entries: readonly Entry[];
  readonly lines: readonly number[];
  readonly data: readonly Line[];
}

const hash = { low: 0, high: 0 };

function sharedIn({ field, key, ...seen }: SeenBarcodes, { entries, lines, data }: ReportedRows): SharedBarcode[] {
  const found: SharedBarcode[] = [];
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as Entry;
    if (entry.kind === 'unreadable' || isSuperseded(entry)) continue;
    const code = (entry.item as Readonly<Record<string, unknown>> | null)?.[field];
    if (typeof code !== 'string' || code.trim() === '') continue;
    hashText(key.same(data[index]?.external_id ?? ''), hash);
    const product = hash.low | 0;
    const first = seen.codes.before(barcodeNumber(code), seen.lines.length);
    if (first !== undefined) {
      if (seen.products[first] !== product) found.push({ index, code, line: seen.lines[first] ?? 0 });
    } else if (!seen.codes.full()) {
      seen.lines.push(lines[index] ?? 0);
      seen.products.push(product);
    }
  }
  return found;
}

/** Whether a later row of the file takes the place of an entry. */
function isSuperseded(entry: Entry): boolean {
  return entry.kind === 'settled' && entry.line.notice.some(({ code }) => code === 'superseded');
}

function notice({ code: value, line }: SharedBarcode, field: string): Diagnostic {
  const params = { line };
  return { code: 'barcode_shared', field, message: messageText('barcode_shared', field, value, params), value, params };
}

/** What is refused has problems of its own, and a remote tells of items of one request. */
function withNotice(line: Line, told: Diagnostic | undefined): Line {
  if (told === undefined || line.action === 'refused' || line.notice.some(({ code }) => code === told.code))
    return line;
  const { code, field, message } = told;
  const notices = [...line.notice, { code, field, message }];
  return { ...line, notice: notices, diagnostics: [...(line.diagnostics ?? []), told] };
}
