// Unpacks the refused rows that the page carries.
import type { RefusedPage, RefusedRow } from '../refused-row.js';

/** The rows with their files and causes. */
export interface UnpackedRows extends RefusedPage {
  readonly rows: readonly RefusedRow[];
}

/**
 * Unpacks all rows, part by part. Undefined if the page has none, or the browser cannot: then the plain table stays.
 */
export async function unpackRows(): Promise<UnpackedRows | undefined> {
  const head = document.getElementById('refused-page')?.textContent ?? '';
  const packed = document.getElementById('refused-rows')?.textContent ?? '';
  if (head === '' || packed === '' || !('DecompressionStream' in window)) return undefined;
  const page = (await unpacked(head)) as RefusedPage;
  const parts = await Promise.all(packed.split('\n').map(unpacked));
  return { ...page, rows: parts.flat() as RefusedRow[] };
}

async function unpacked(text: string): Promise<unknown> {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  return JSON.parse(await new Response(stream).text());
}
