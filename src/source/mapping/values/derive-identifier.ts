// Derives an identifier from a text such as a photo's URL or a brand: deterministic, and distinct for distinct texts.
import { createHash } from 'node:crypto';
import { fold } from '../../../core/text/text.js';

/** Characters of the text that are kept for readability, and of the hash that makes it distinct. */
const wordLength = 30;
const hashLength = 16;

/**
 * The identifier of a text with a prefix such as `file_`: `Acme Ltd.` becomes `acme-ltd-…`. Names that differ only in
 * case get the same.
 */
export function deriveIdentifier(text: string, prefix: string): string {
  const same = isAddress(text) ? text.trim() : fold(text.trim());
  const name = isAddress(text) ? lastSegment(text) : text;
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const word = plain
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, wordLength);
  const hash = createHash('sha256').update(same).digest('hex').slice(0, hashLength);
  return `${prefix}${word === '' ? '' : `${word}-`}${hash}`;
}

/** The last part of the path of an address. */
function lastSegment(address: string): string {
  const [path = ''] = address.split(/[?#]/, 1);
  return path.slice(path.lastIndexOf('/', path.length - 2) + 1).replace('/', '');
}

/** Addresses that differ in case are different. */
function isAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text.trim());
}
