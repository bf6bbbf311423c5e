// Failures of a whole call. A bad item is data (a refused line); any other exception is a bug.
import { maskCredentials } from './text/mask-credentials.js';

/**
 * Why a call failed. Exit codes (cli/exit-codes.ts) and HTTP statuses (http/protocol.ts) are mapped from this code, in one
 * place each.
 */
export type ErrorCode =
  | 'usage'
  | 'key_refused'
  | 'input_unreadable'
  | 'remote_failed'
  | 'try_again'
  | 'catalog_unusable'
  | 'catalog_locked'
  | 'catalog_unavailable'
  | 'catalog_full'
  | 'guard_stopped'
  | 'batch_too_large'
  | 'not_found'
  | 'interrupted';

/** A failure of a whole call. The message is for people, wherever it is shown: without credentials, and with what to do about it. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(maskCredentials(message), options);
  }
}
