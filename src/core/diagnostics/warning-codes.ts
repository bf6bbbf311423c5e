// The codes of warnings: what was noticed about a run as a whole. One entry in a list declares a warning: what it means, what to do, and
// its words. Where something is noticed, `warn(code, params)` is called; terminal, reports, `runs show`, status file, `explain` and
// the manual follow from these lists. A notice is about a line, a warning is not.
import { fileNotes } from './file-notes.js';
import { fileWarnings } from './file-warnings.js';
import { remoteWarnings } from './remote-warnings.js';
import { runWarnings } from './run-warnings.js';
import type { WarningKind } from './warning-kind.js';

/** What was noticed about a run. */
export interface Warning {
  readonly code: string;
  readonly message: string;
  /** The figures and samples of the message. */
  readonly params: Readonly<Record<string, unknown>>;
}

/** Warnings by code. */
export const warnings = { ...runWarnings, ...fileWarnings, ...fileNotes, ...remoteWarnings } as const;

export type WarningCode = keyof typeof warnings;
export type WarningParams<Code extends WarningCode> = Parameters<(typeof warnings)[Code]['words']>[0];

/** Adds a warning to a run. */
export type Warn = <Code extends WarningCode>(code: Code, params: WarningParams<Code>) => void;

/** A warning with its message. */
export function newWarning<Code extends WarningCode>(code: Code, params: WarningParams<Code>): Warning {
  const { words } = warnings[code] as WarningKind<unknown>;
  return { code, message: words(params), params: params as Warning['params'] };
}

/** Whether this warning also occurs in ordinary runs. `--fail-on warnings` leaves these out. */
export function isRoutine(code: string): boolean {
  return Object.hasOwn(warnings, code) && (warnings[code as WarningCode] as WarningKind<unknown>).isRoutine === true;
}

/** A warning as a line of a terminal or a log: `warning file_repeated: …`. */
export function warningLine({ code, message }: Warning): string {
  return `${isRoutine(code) ? 'note' : 'warning'} ${code}: ${message}`;
}
