// Observes an import for a page: counts, causes, samples. What it keeps is bounded, whatever the import's size.

import { refusals } from '../../../core/diagnostics/refusal-codes.js';
import type { Warning } from '../../../core/diagnostics/warning-codes.js';
import type { Entry } from '../../../core/entry.js';
import type { Line } from '../../../core/import-report.js';
import { affectedBy, type FeedEnd } from '../../../core/ledger/feed-end.js';
import type { BatchResult, ImportedFile, MissingValue, Outcome } from '../../../importing/observer.js';
import { describeDuplicates } from '../../causes/duplicate-rows.js';
import { type ProblemTeller, problemTeller } from '../../causes/problems.js';
import { formWords } from '../../form-words.js';
import { type CodeCounts, countCodes, newCodeCounts, type RunInfo } from '../../run-info.js';
import type { FileReport, LinePlace, RootCauseReport, RunReport, Sample } from '../run-report.js';
import { type CauseCollector, causeCollector } from './cause-collector.js';
import { type ChangeCollector, changeCollector, mostFirst } from './change-collector.js';
import { rawCells } from './raw-cells.js';
import { cutText, type RefusedCollector, refusedCollector } from './refused-collector.js';
import { type SampleCollector, sampleCollector } from './sample-collector.js';
import { type TickCollector, tickCollector } from './tick-collector.js';

const mostFiles = 500;
const mostColumns = 1_000;
/** Keys of the end of a run. */
const mostKeys = 20;
const mostMissing = 500;
const mostNotes = 50;
const mostRootCauses = 100;
const longestMissingJson = 200_000;

type SampleKind = keyof RunReport['samples'];

export interface RunCollector {
  readonly run: RunInfo;
  readonly files: FileReport[];
  readonly heads: (readonly string[])[];
  readonly causes: CauseCollector;
  readonly refused: RefusedCollector;
  readonly changes: ChangeCollector | undefined;
  readonly ticks: TickCollector;
  readonly codes: CodeCounts;
  readonly rootCauses: RootCauseReport[];
  readonly missing: (MissingValue & { readonly file: number })[];
  readonly samples: Readonly<Record<SampleKind, SampleCollector>>;
  missingItems: readonly object[];
  deactivated: number;
  total: number;
  current:
    | { readonly file: ImportedFile; readonly problems: ProblemTeller; readonly names: readonly string[] }
    | undefined;
}

/**
 * The initial state.
 * @param diff whether lines contain changes
 */
export function runCollector(run: RunInfo, diff: boolean): RunCollector {
  return {
    run,
    files: [],
    heads: [],
    causes: causeCollector(),
    refused: refusedCollector(),
    changes: diff ? changeCollector() : undefined,
    ticks: tickCollector(),
    codes: newCodeCounts(),
    rootCauses: [],
    missing: [],
    samples: { created: sampleCollector(), updated: sampleCollector(), deactivated: sampleCollector() },
    missingItems: [],
    deactivated: 0,
    total: 0,
    current: undefined,
  };
}

export function beginFile(state: RunCollector, file: ImportedFile): void {
  const names = file.source.form?.columns ?? [];
  state.current = { file, problems: problemTeller(file), names };
  state.heads.push(state.heads.length < mostFiles ? names : []);
}

/** Adds a durable batch. */
export function addBatch(state: RunCollector, result: BatchResult): void {
  const { report, lines } = result;
  const { codes, changes, samples, ticks } = state;
  const file = state.heads.length - 1;
  state.total += report.total;
  ticks.add(state.total);
  countCodes(codes, result);
  report.data.forEach((line, i) => {
    if (line.code !== null) addRefused(state, line, { result, i, file });
    else addSamples(samples, line, { file, line: lines[i] ?? 0 });
    if (line.action === 'updated' && line.changes !== undefined)
      changes?.add(line.changes, cutText(line.external_id, 100), { file, line: lines[i] ?? 0 });
  });
}

function addSamples(samples: RunCollector['samples'], line: Line, place: LinePlace): void {
  const { action, notice } = line;
  if ((action === 'created' || action === 'updated') && samples[action].wants(place.file))
    samples[action].add(sampleOf(line, place));
  for (const { code, field, message } of notice)
    if (code === 'entries_deactivated' && samples.deactivated.wants(place.file))
      samples.deactivated.add({ ...sampleOf(line, place), words: `${field}: ${message}` });
}

function sampleOf({ external_id: key, id, changes = [] }: Line, place: LinePlace): Sample {
  return { ...place, key: cutText(key, 100), id: id ?? '', changes: changes.slice(0, 8), words: '' };
}

interface RefusedAt {
  readonly result: BatchResult;
  readonly i: number;
  readonly file: number;
}

function addRefused(state: RunCollector, line: Line, { result, i, file }: RefusedAt): void {
  const { current, causes, refused } = state;
  if (current === undefined || line.code === null) return;
  const entry = result.entries?.[i];
  const isFollower = result.followers?.has(i) === true;
  // For rows that are neither kept nor the first of their cause, only the column is needed.
  const [first, ...others] = current.problems.of(line, entry);
  const place = { file, line: result.lines[i] ?? 0 };
  const reason = line.reason ?? '';
  const cause = isFollower
    ? -1
    : causes.add({
        code: line.code,
        column: first?.column ?? generic(first?.field ?? ''),
        isColumn: first?.column !== null && first !== undefined,
        resource: current.file.resource.command,
        place,
        key: line.external_id,
        reason,
      });
  if (refused.isFull) return;
  const fields = [first, ...others].flatMap((problem) => (problem === undefined ? [] : [problem.field]));
  const more = line.notice
    .filter(({ code }) => Object.hasOwn(refusals, code))
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  refused.add({
    f: file,
    l: place.line,
    k: line.external_id,
    c: cause,
    code: line.code,
    reason,
    ...(more.length > 0 && { more }),
    ...cellsOf(current, { raw: result.raws?.[i] ?? '', fields, entry }),
  });
}

/** The original row, with the cells of the faulty fields. */
function cellsOf(
  { file, problems, names }: NonNullable<RunCollector['current']>,
  {
    raw,
    fields,
    entry,
  }: { readonly raw: string; readonly fields: readonly string[]; readonly entry: Entry | undefined },
) {
  const { form } = file.source;
  if (raw === '' || form === undefined) return {};
  const { cells, names: own } = rawCells(raw, form);
  const columns = new Set(fields.flatMap((field) => [...problems.columnsOf(field, entry), rootOf(field)]));
  const bad = (own ?? names).flatMap((name, i) => (columns.has(name.trim()) ? [i] : []));
  return {
    cells,
    ...(own && { names: own }),
    ...(bad.length > 0 && { bad }),
  };
}

const rootOf = (field: string): string => field.replace(/[[.].*$/, '');

/** The path of a field without positions of entries, which would make each a cause of its own. */
function generic(field: string): string {
  return field.replace(/\[\d+\]/g, '[]');
}

export function finishFile(state: RunCollector, outcome: Outcome): void {
  const { current, rootCauses, missing, files } = state;
  if (current === undefined) return;
  const { file, resource, source } = current.file;
  const { counts, seconds, stopped, rootCauses: found = [], missing: lacking, duplicates } = outcome;
  for (const { resource: of, name, file: where, line, followed } of found.slice(0, mostRootCauses - rootCauses.length))
    rootCauses.push({
      what: of.title.toLowerCase(),
      name: cutText(name, 200),
      file: where,
      line,
      followed: [...followed],
    });
  const index = state.heads.length - 1;
  for (const value of (lacking?.values ?? []).slice(0, mostMissing - missing.length))
    missing.push({ ...value, value: cutText(value.value, 300), file: index });
  state.missingItems = lacking?.items ?? state.missingItems;
  if (files.length >= mostFiles) return;
  files.push({
    file,
    resource: resource.command,
    counts: { ...counts },
    seconds,
    ...(stopped !== undefined && { stopped }),
    form: formWords(source.found, source.found.encoding).join(', '),
    columns: source
      .columns()
      .slice(0, mostColumns)
      .map(({ name, fields, filled }) => ({ name: cutText(name, 200), fields, filled })),
    leftOut: source.leftOut(),
    notes: [
      ...source.notes().map(({ words }) => words),
      ...(duplicates === undefined ? [] : [describeDuplicates(duplicates)]),
    ]
      .slice(0, mostNotes)
      .map((note) => cutText(note, 1_000)),
  });
}

/** The end of a feed's run: of a plan what it would do, else what it did. */
function endOf(run: RunInfo, { effects }: Outcome): FeedEnd | undefined {
  if (run.feedEnd !== undefined || effects === undefined) return run.feedEnd;
  return { notes: [], records: affectedBy(effects.lines) };
}

/** The end of a feed's run, as far as it is shown. */
function shownEnd({ notes, records }: FeedEnd): FeedEnd {
  return {
    notes: notes.slice(0, mostNotes).map((note) => cutText(note, 2_000)),
    records: records
      .slice(0, mostNotes)
      .map((one) => ({ ...one, keys: one.keys.slice(0, mostKeys).map((key) => cutText(key, 100)) })),
  };
}

/** Warnings, as far as they are shown. */
function shownWarnings(warnings: readonly Warning[]): readonly Warning[] {
  return warnings
    .slice(0, mostNotes)
    .map(({ code, message }) => ({ code, message: cutText(message, 2_000), params: {} }));
}

/**
 * Ends the run.
 * @param everyLine the files that contain every line
 */
export function endRun(state: RunCollector, total: Outcome, everyLine: readonly string[]): RunReport {
  const { run, causes, refused, changes, ticks, codes, samples } = state;
  const { counts, seconds, stopped, failure } = total;
  const waits = run.waits?.();
  const number = run.number?.();
  const end = endOf(run, total);
  const json = state.missingItems.length === 0 ? '' : JSON.stringify(state.missingItems, undefined, 2);
  return {
    version: run.version,
    ...(end && { feedEnd: shownEnd(end) }),
    ended: (total.effects?.lines ?? []).slice(0, mostKeys),
    guards: total.guards ?? [],
    ...(total.next && { next: total.next }),
    warnings: shownWarnings(total.warnings ?? []),
    started: run.started,
    command: run.command,
    target: run.target,
    dryRun: run.dryRun,
    ...(number !== undefined && { number }),
    ...(run.plan && { plan: { ...run.plan, found: run.plan.found() } }),
    options: run.options,
    exit: run.exitOf(total),
    seconds,
    ...(stopped !== undefined && { stopped }),
    ...(failure !== undefined && { failure: cutText(failure, 4_000) }),
    counts: { ...counts },
    asked: run.files.slice(0, mostFiles),
    files: state.files,
    rootCauses: state.rootCauses,
    ...causes.report(),
    missing: state.missing,
    missingJson: json.length > longestMissingJson ? '' : json,
    notices: mostFirst(codes.notices).map(([code, count]) => ({ code, count })),
    ...(changes && { changes: changes.report() }),
    refused: refused.report(state.heads),
    samples: {
      created: samples.created.report(),
      updated: samples.updated.report(),
      deactivated: samples.deactivated.report(),
    },
    deactivated: codes.notices.get('entries_deactivated') ?? 0,
    ticks: ticks.report(),
    ...(waits !== undefined && waits.count > 0 && { waits }),
    everyLine,
  };
}
