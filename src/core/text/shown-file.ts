// The name of a file for people.
import { sanitizeText } from './sanitize.js';

export function shownFile(file: string): string {
  return file === '-' ? 'standard input' : sanitizeText(file);
}
