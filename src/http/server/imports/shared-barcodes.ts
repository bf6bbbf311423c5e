// Tells of items whose barcode an earlier item of the same request has for another product. An import of a file compares all of its
// rows (importing/shared-barcodes.ts).
import { messageText } from '../../../core/diagnostics/message-text.js';
import { recordKey } from '../../../core/fields/record-key.js';
import type { Report } from '../../../core/import-report.js';
import type { Resource } from '../../../core/resource.js';
import { barcodeNumber } from '../../../core/text/gtin.js';

/** @param lines the lines of the items in the client's file, if it sent them */
export function tellSharedBarcodes(
  { barcode: field, fields, key }: Resource,
  items: readonly unknown[],
  { report, lines }: { readonly report: Report; readonly lines: readonly number[] | undefined },
): Report {
  if (field === undefined) return report;
  const { same } = recordKey(fields, key);
  const first = new Map<string, number>();
  const data = report.data.map((line, i) => {
    const code = (items[i] as Readonly<Record<string, unknown>> | null)?.[field];
    if (typeof code !== 'string' || code.trim() === '') return line;
    const number = barcodeNumber(code);
    const index = first.get(number) ?? i;
    first.set(number, index);
    const isSame = same(report.data[index]?.external_id ?? '') === same(line.external_id);
    if (isSame || line.action === 'refused') return line;
    const place = lines === undefined ? { index } : { line: lines[index] ?? 0 };
    const message = messageText('barcode_shared', field, code, place);
    return { ...line, notice: [...line.notice, { code: 'barcode_shared' as const, field, message }] };
  });
  return { ...report, data };
}
