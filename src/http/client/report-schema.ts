// Validates a remote's report against the items that were sent: one line for each, at its index, and counts that match.
import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Diagnostic, Line, Notice, Report } from '../../core/import-report.js';
import type { EndLine } from '../../core/ledger/feed-end.js';
import type { ImportMode } from '../../core/planning/item-task.js';
import { noCounts, reportOf } from '../../core/report-counts.js';
import type { Resource } from '../../core/resource.js';
import { quote } from '../../core/text/text.js';
import { invalidResponse } from './classify-response.js';

const text = z.string().nullable();
// Both are shown unchanged, even on a terminal: anything other than an identifier or a code is rejected.
const identifier = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,80}$/)
  .nullable();
const word = z.string().regex(/^[a-z0-9_]{1,80}$/);

const line = z.object({
  index: z.number(),
  external_id: z.string(),
  action: z.enum(['created', 'updated', 'unchanged', 'refused']),
  id: identifier,
  code: word.nullable(),
  title: text,
  reason: text,
  notice: z.array(z.object({ code: word, field: z.string(), message: z.string() })),
  changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })).optional(),
});

const count = z.number().int();

const runEnd = z.object({
  passed_on: count.nonnegative(),
  data: z.array(
    z.object({
      resource: z.string(),
      external_id: z.string(),
      id: identifier.unwrap(),
      cause: z.literal('passed_on'),
      changes: z.array(z.object({ field: z.string(), from: z.unknown(), to: z.unknown() })),
    }),
  ),
});

/** What the end of a run changed: how many records, and the first of them. */
export interface ReportedEnd {
  readonly passedOn: number;
  readonly lines: readonly EndLine[];
}

/** What a report says of the end of its run; nothing where a remote does not tell. Throws `remote_failed` if it is malformed. */
export function parseRunEnd(response: object): ReportedEnd {
  const { end } = response as { readonly end?: unknown };
  if (end === undefined) return { passedOn: 0, lines: [] };
  const checked = runEnd.safeParse(end);
  if (!checked.success) throw malformed(checked.error, 'end');
  const { passed_on: passedOn, data } = checked.data;
  return { passedOn: Math.max(passedOn, data.length), lines: data };
}

/** @param member where in the report it was found */
function malformed({ issues: [issue] }: z.ZodError, ...member: readonly string[]): Error {
  return invalidResponse(
    `its report is malformed at ${[...member, ...(issue?.path ?? [])].join('.') || 'its root'}: ${issue?.message}`,
  );
}

const shape = z.object({
  object: z.literal('list'),
  resource: z.string(),
  dry_run: z.boolean(),
  data: z.array(line),
  created: count,
  updated: count,
  unchanged: count,
  refused: count,
  total: count,
});

/** As a journal keeps it: with the diagnostics of its lines as data. */
const keptShape = shape.extend({
  data: z.array(
    line.extend({
      diagnostics: z.array(z.looseObject({ code: word, field: z.string(), message: z.string() })).optional(),
    }),
  ),
});

/**
 * The report on a batch of so many items in a journal; undefined where it is none, as that of another program or a damaged one:
 * the batch is sent again then.
 */
export function keptReport(kept: unknown, resource: Resource, items: number): Report | undefined {
  const checked = keptShape.safeParse(kept);
  if (!checked.success || checked.data.data.length !== items) return undefined;
  const { data } = kept as Report;
  const counted = reportOf(resource.name, false, data);
  const isSound = data.every(({ index }, place) => index === place) && isDeepStrictEqual(kept, counted);
  return isSound ? counted : undefined;
}

/** What the report must match. */
export interface ExpectedReport {
  readonly resource: Resource;
  readonly keys: readonly string[];
  readonly mode: Pick<ImportMode, 'dryRun' | 'only'>;
}

/** The lines of a report. Throws `remote_failed` if it is not a report on the items that were sent. */
export function parseReport(response: unknown, { resource, keys, mode }: ExpectedReport): readonly Line[] {
  const { dryRun, only } = mode;
  const checked = shape.safeParse(response);
  if (!checked.success) throw malformed(checked.error);
  const report = checked.data;
  if (report.resource !== resource.name)
    throw invalidResponse(`its report is on ${report.resource}, not ${resource.name}`);
  if (report.dry_run !== dryRun)
    throw invalidResponse(`its report says dry_run ${report.dry_run} where ${dryRun} was sent`);
  if (report.data.length !== keys.length)
    throw invalidResponse(`its report has ${report.data.length} lines on ${keys.length} items`);
  const counts = noCounts();
  for (const [place, reported] of report.data.entries()) {
    if (reported.index !== place) throw invalidResponse(`line ${place} of its report has index ${reported.index}`);
    if (reported.external_id !== keys[place])
      throw invalidResponse(
        `line ${place} of its report is on ${quote(reported.external_id)}, and ${quote(keys[place] ?? '')} was sent`,
      );
    if (reported.action === 'refused' && reported.reason === null)
      throw invalidResponse(`line ${place} is refused without a reason`);
    if (only === 'update' && reported.action === 'created')
      throw invalidResponse(
        `it created ${quote(reported.external_id)} where only update was sent, as older versions do`,
      );
    counts[reported.action]++;
    counts.total++;
  }
  for (const name of ['created', 'updated', 'unchanged', 'refused', 'total'] as const) {
    if (report[name] !== counts[name])
      throw invalidResponse(`its report counts ${report[name]} ${name} and has ${counts[name]} such lines`);
  }
  // A line distinguishes absent members from undefined ones.
  return (report.data as readonly Line[]).map(withFindings);
}

/** Converts a remote's line to one with diagnostics as data. Its messages are parsed here and nowhere else. */
function withFindings(line: Line): Line {
  const { code, reason, notice, external_id: key } = line;
  if (code === null && notice.length === 0) return line;
  const first = code === null || reason === null ? [] : [problemOf(code, reason)];
  return { ...line, diagnostics: [...first, ...notice].map((said) => ({ ...said, ...dataOf(said, key) })) };
}

/** The path at the beginning of a reason, before a colon or as the subject of its sentence. */
function problemOf(code: string, reason: string): Notice {
  const [prefix = '', field = '', colon] =
    /^([a-z_]+(?:\[\d+\])?(?:\.[a-z_]+)?)(: | (?=is |has |repeats ))/.exec(reason) ?? [];
  return { code, field, message: colon === ': ' ? reason.slice(prefix.length) : reason };
}

/** Codes whose message refers to another item of the batch by its position. */
const placed: readonly string[] = ['duplicate_in_batch', 'repeated_in_batch'];

function dataOf({ code, message }: Notice, key: string): Pick<Diagnostic, 'value' | 'params'> {
  const status = code === 'status_regained' ? /\bis "?([a-z_]+)"? again, as before\b/.exec(message)?.[1] : undefined;
  if (status !== undefined) return { value: status };
  const index = placed.includes(code) ? /\bitem (\d+) of this batch\b/.exec(message)?.[1] : undefined;
  if (index === undefined) return {};
  const params = { index: Number(index) };
  return code === 'duplicate_in_batch' ? { value: key, params } : { params };
}
