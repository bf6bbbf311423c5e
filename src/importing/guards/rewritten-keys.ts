// Recognizes keys that a feed writes in another form than before, such as without their leading zeros: one record would be
// created while another is missing.
import { ellipsize, sanitizeText } from '../../core/text/sanitize.js';

/** The keys of a resource that would be created and those that are missing, compared without their form. */
export interface RewrittenKeys {
  /** Takes a key that would be created. */
  created(key: string): void;
  /** Takes a key that is missing; all that would be created were taken before. */
  missing(key: string): void;
  /** How many missing keys would be created in another form, with the first as an example; undefined if there are none. */
  found(): { readonly count: number; readonly example: string } | undefined;
}

/** Keys that are kept: where a feed rewrites its keys, the first of them tell. */
const mostKeys = 100_000;

/** Makes an empty comparison. */
export function rewrittenKeys(): RewrittenKeys {
  const forms = new Map<string, string>();
  let count = 0;
  let example = '';
  return {
    created(key) {
      const form = withoutForm(key);
      if (form !== '' && forms.size < mostKeys && !forms.has(form)) forms.set(form, key);
    },
    missing(key) {
      const form = withoutForm(key);
      const now = forms.get(form);
      if (now === undefined) return;
      forms.delete(form);
      count++;
      if (example === '') example = ellipsize(sanitizeText(`${now} was ${key}`), 100);
    },
    found: () => (count === 0 ? undefined : { count, example }),
  };
}

/** A key without what exports and spreadsheets change: case, leading zeros, a decimal part of zeros, signs and blanks. */
function withoutForm(key: string): string {
  return key
    .normalize('NFKC')
    .toLowerCase()
    .replace(/^(\d+)[.,]0+$/, '$1')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .replace(/^0+(?=.)/, '');
}
