// The exit codes, as listed in the manual. Only `main` maps failures to them.
import type { ErrorCode } from '../core/errors.js';

/** Exit codes of calls that did not fail. */
export const exitCodes = { ok: 0, bug: 1, refused: 3 } as const;

/** Signals that end a command in order. SIGBREAK is Ctrl-Break on Windows; no other system has it. */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/** Exit codes of signals: 128 plus the signal's number, as in shells. SIGBREAK ends a command like SIGTERM. */
export const signalExitCodes: Readonly<Record<string, number>> = {
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
  SIGBREAK: 143,
};

export const failureExitCodes: Readonly<Record<ErrorCode, number>> = {
  usage: 2,
  key_refused: 4,
  input_unreadable: 5,
  remote_failed: 6,
  try_again: 6,
  catalog_unusable: 7,
  catalog_locked: 7,
  catalog_unavailable: 7,
  catalog_full: 7,
  guard_stopped: 8,
  // Of a posted batch only.
  batch_too_large: 6,
  not_found: 9,
  interrupted: 130,
};
