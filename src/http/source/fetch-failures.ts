// Why a file by its address did not arrive: failures that end its fetch, and those after which another try may succeed.
import { CatalogError } from '../../core/errors.js';
import { shownAddress } from '../../core/text/mask-credentials.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import { retryAfter } from '../client/retry.js';
import { TransportError, transportError } from '../client/transport-error.js';

/** Reads a header of a response by its lower-case name, '' where it is missing. */
export type HeaderReader = (name: string) => string;

/** Answers after which another try may succeed. */
const passing: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** A try that failed, and after which another one may succeed. */
export class Lost extends Error {
  override readonly name = 'Lost';

  /** @param after milliseconds that the server asks to wait */
  constructor(
    message: string,
    readonly after = 0,
  ) {
    super(message);
  }
}

/** The failure of a connection: certificates and names do not mend themselves. */
export function lost(url: URL, cause: unknown): Error {
  const { code, message } = cause instanceof TransportError ? cause : transportError(cause);
  return /CERT|TLS|SSL|VERIFY|ENOTFOUND|ISSUER/.test(code) ? failed(url, message) : new Lost(message);
}

/** The failure of an answer that is no file. */
export function answered(url: URL, status: number, header: HeaderReader): Error {
  if (status === 401 || status === 403)
    return new CatalogError(
      'key_refused',
      `${shown(url)} answered ${status}: it wants other credentials; nothing was imported. Name the variable that has them with --source-auth-env, or put them into ~/.netrc.`,
    );
  if (!passing.has(status)) return failed(url, `answered ${status}`);
  const after = retryAfter(header('retry-after'), header('date'), Date.now());
  if (after === undefined) return new Lost(`answered ${status}`);
  return new Lost(`answered ${status}, and asks to wait ${Math.ceil(after / 1000)} s`, after);
}

/** The failure of a file that did not arrive. */
export function failed(url: URL, what: string): CatalogError {
  return new CatalogError('input_unreadable', `${shown(url)} ${sanitizeText(what)}; nothing was imported.`);
}

/** An address as messages show it, without what may be a secret. */
export function shown({ href }: URL): string {
  return sanitizeText(shownAddress(href));
}
