// The text of a file that somebody wrote by hand: a key, a mapping, a configuration. It is UTF-8, or what its byte order mark
// says: Notepad and PowerShell write UTF-16.
import { readFileSync } from 'node:fs';
import { byteOrder } from '../core/text/byte-order.js';

/**
 * @param fatal whether a byte that is neither is an error; otherwise the replacement character takes its place
 * @throws Error where it cannot be read
 */
export function readText(file: string, { fatal }: { readonly fatal: boolean } = { fatal: true }): string {
  const bytes = readFileSync(file);
  try {
    return new TextDecoder(byteOrder(bytes) ?? 'utf-8', { fatal }).decode(bytes);
  } catch {
    throw new Error('it is not UTF-8; save it as UTF-8');
  }
}
