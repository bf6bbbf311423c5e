// Collects the problems and notices of one item. Time and memory grow with what is reported, not with what was sent: beyond the
// limits diagnostics are only counted, and one `more_omitted` gives the count.

import type { Diagnostic } from '../import-report.js';
import type { Spent } from '../text/text.js';
import { type MessageParams, messageText } from './message-text.js';
import type { NoticeCode, Problem, RefusalCode } from './refusal-codes.js';
import { cutText } from './report-limits.js';

/** Problems of one item that are reported, and as many notices. */
const mostReported = 20;
/** Ignored members of one item that are reported by name. */
const mostNamed = 10;

export interface Diagnostics {
  readonly problems: Problem[];
  notices: readonly Diagnostic[];
  omittedProblems: number;
  omittedNotices: number;
  /** Members that are not fields: the paths of the first ones, and their number. */
  readonly ignored: string[];
  ignoredCount: number;
  /** The paths of all fields with a problem, including those that are only counted. */
  invalidFields: Set<string> | undefined;
  /** The steps of searches for what was meant, which the items of a batch share. */
  readonly spent: Spent;
}

/** Empty diagnostics, or a copy of `first` to add to. */
export function newDiagnostics(first?: Diagnostics, spent: Spent = { steps: 0 }): Diagnostics {
  return {
    problems: first === undefined ? [] : [...first.problems],
    notices: first?.notices ?? [],
    omittedProblems: first?.omittedProblems ?? 0,
    omittedNotices: first?.omittedNotices ?? 0,
    ignored: first === undefined ? [] : [...first.ignored],
    ignoredCount: first?.ignoredCount ?? 0,
    invalidFields: first?.invalidFields === undefined ? undefined : new Set(first.invalidFields),
    spent,
  };
}

/** Adds a problem. Its parameters may be a function, which is not called for problems that are only counted. */
export function addProblem(
  found: Diagnostics,
  code: RefusalCode,
  field: string,
  { value, params }: { readonly value?: unknown; readonly params?: MessageParams | (() => MessageParams) } = {},
): void {
  found.invalidFields ??= new Set();
  found.invalidFields.add(field);
  if (found.problems.length >= mostReported) found.omittedProblems++;
  else {
    const given = typeof params === 'function' ? params() : params;
    found.problems.push({ ...diagnostic(code, field, value, given, found.spent), code });
  }
}

export function addNotice(
  found: Diagnostics,
  code: NoticeCode,
  field: string,
  value?: unknown,
  params?: MessageParams,
): void {
  if (found.notices.length >= mostReported) found.omittedNotices++;
  // Most items have one: an array that grows by a push has room for seventeen.
  else found.notices = [...found.notices, diagnostic(code, field, value, params, found.spent)];
}

function diagnostic(
  code: RefusalCode | NoticeCode,
  field: string,
  value: unknown,
  params: MessageParams | undefined,
  spent?: Spent,
): Diagnostic {
  const message = messageText(code, field, value, params, spent);
  // Without spreads, which take as long as the sentence.
  if (value === undefined) return params === undefined ? { code, field, message } : { code, field, message, params };
  const shown = cutText(value);
  return params === undefined ? { code, field, message, value: shown } : { code, field, message, value: shown, params };
}

/** Adds a member that is not a field; all of them share one notice. */
export function addIgnored(found: Diagnostics, path: string): void {
  found.ignoredCount++;
  if (found.ignored.length < mostNamed) found.ignored.push(path);
}

export function isClean(found: Diagnostics): boolean {
  return found.problems.length === 0 && found.notices.length === 0 && found.ignoredCount === 0;
}

/** The notices of the item, with the one about ignored members. */
export function noticesOf(found: Diagnostics): readonly Diagnostic[] {
  const { ignored, ignoredCount, notices } = found;
  if (ignoredCount === 0) return notices;
  const [first = ''] = ignored;
  if (ignoredCount === 1)
    return [diagnostic('field_ignored', shortPath(first), lastName(first), undefined), ...notices];
  return [diagnostic('field_ignored', '', undefined, { count: ignoredCount, names: ignored }), ...notices];
}

/** The last member of a path: `colour` in `values[0].colour`. A member of the item itself may have any name. */
function lastName(path: string): string {
  return /^[a-z_]+\[\d+\]\.(.*)$/s.exec(path)?.[1] ?? path;
}

/** Shortens a path, since the sender chooses the names in it. */
function shortPath(path: string): string {
  return path.length > 80 ? `${path.slice(0, 79).replace(/[\ud800-\udbff]$/, '')}…` : path;
}
