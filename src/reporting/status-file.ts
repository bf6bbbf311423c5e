// The file of --status-file: how the last run of a feed ended, in the text format of Prometheus, for a collector that
// reads a folder. It appears complete or not at all, and includes failed runs; the last success of earlier ones stays
// in it.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Warning } from '../core/diagnostics/warning-codes.js';
import type { Counts } from '../core/import-report.js';
import type { GuardFigure } from '../core/ledger/guard-figure.js';
import { addCounts, noCounts } from '../core/report-counts.js';
import { claimFile } from '../files/claimed-file.js';
import { replaceFile } from '../files/durable-file.js';
import { realPathOf } from '../files/same-file.js';
import { withWriteErrors } from '../files/write-text-file.js';
import type { ImportedFile, ImportObserver, Outcome } from '../importing/observer.js';

/** What a run is called in its status file: its feed, or else its file. */
export function statusName(feed: string | undefined, file = ''): string {
  return feed ?? basename(file);
}

/** The contents of a status file. */
export interface StatusOf {
  /** The name of the run (`statusName`). */
  readonly feed: string;
  /** The exit code of a run with this outcome. */
  readonly exitOf: (outcome: Outcome) => number;
  /** Whether a run with this outcome counts as a success. */
  readonly isSuccess: (outcome: Outcome) => boolean;
  /** When the run started, before its guards. */
  readonly started: Date;
  /** The time in milliseconds. */
  readonly now: () => number;
}

const metrics = {
  catalog_import_last_run_timestamp_seconds: 'When the last run ended.',
  catalog_import_last_success_timestamp_seconds:
    'When the last run ended that was accepted: its whole file was read, no guard stopped it, and not every row was refused.',
  catalog_import_last_exit_code: 'Exit code of the last run.',
  catalog_import_last_duration_seconds: 'How long the last run took.',
  catalog_import_last_items: 'Items of the last run by what happened to them.',
  catalog_import_last_end: 'Records that the end of the last run changed, in addition to its items.',
  catalog_import_guard_share:
    'What the guards of the last run found, as a share; for min_rows and rows, rows; for age, seconds; for columns, columns.',
  catalog_import_guard_limit:
    'The share from which on a guard stops a run; for min_rows and rows, rows; for age, seconds; for columns, columns.',
  catalog_import_warnings: 'Warnings of the last run by code; catalog-import explain shows what a code means.',
} as const;
type Metric = keyof typeof metrics;

interface MetricSample {
  readonly metric: Metric;
  readonly labels: string;
  readonly value: string;
}

/** Milliseconds that a run waits for another one that is writing the file, which takes a few. */
const longestWait = 5000;

/** Readable for others according to the process's umask, since a collector is another user. */
const mode = 0o666;

/** The observer that writes a status file when a run ends, however it ends. */
export function statusFile(path: string, status: StatusOf): ImportObserver {
  const counts = new Map<string, Counts>();
  let current: ImportedFile | undefined;
  const write = (total: Outcome): void =>
    withWriteErrors(`The status file ${path}`, () => {
      // Runs of several feeds share it: each keeps what the others wrote.
      const release = claimFile(`${realPathOf(path)}.update`, { wait: longestWait });
      const file = replaceFile(path, { mode });
      try {
        file.write(Buffer.from(statusText([...samplesOf(total, status, counts), ...keptSamples(path, total, status)])));
        file.commit();
      } finally {
        file.discard();
        release?.();
      }
    });
  return {
    begin(file) {
      current = file;
    },
    finish(outcome) {
      const resource = current?.resource.name ?? '';
      const sum = counts.get(resource) ?? noCounts();
      addCounts(sum, outcome.counts);
      counts.set(resource, sum);
    },
    end: write,
    failed: write,
  };
}

function samplesOf(total: Outcome, status: StatusOf, counts: ReadonlyMap<string, Counts>): MetricSample[] {
  const exit = status.exitOf(total);
  const ended = status.now();
  const now = String(Math.floor(ended / 1000));
  const labels = feedLabel(status.feed);
  const of = (metric: Metric, value: string, more = ''): MetricSample => ({ metric, labels: labels + more, value });
  return [
    of('catalog_import_last_run_timestamp_seconds', now),
    ...(status.isSuccess(total) ? [of('catalog_import_last_success_timestamp_seconds', now)] : []),
    of('catalog_import_last_exit_code', String(exit)),
    of('catalog_import_last_duration_seconds', ((ended - status.started.getTime()) / 1000).toFixed(3)),
    ...[...counts].flatMap(([resource, sums]) =>
      (['created', 'updated', 'unchanged', 'refused'] as const).map((action) =>
        of('catalog_import_last_items', String(sums[action]), `,resource="${resource}",action="${action}"`),
      ),
    ),
    ...Object.entries(total.effects?.counts ?? {}).map(([effect, count]) =>
      of('catalog_import_last_end', String(count), `,effect="${effect}"`),
    ),
    ...oncePerGuard(total.guards ?? []).flatMap((figure) => guardSamples(figure, of)),
    ...[...countByCode(total.warnings ?? [])].map(([code, count]) =>
      of('catalog_import_warnings', String(count), `,code="${code}"`),
    ),
  ];
}

/** One figure of a guard: of several files that are held against a contract, one that does not keep it. */
function oncePerGuard(figures: readonly GuardFigure[]): readonly GuardFigure[] {
  const passedFirst = [...figures].sort((a, b) => Number(b.passed) - Number(a.passed));
  return [...new Map(passedFirst.map((one) => [`${one.resource} ${one.guard} ${one.against}`, one])).values()];
}

function guardSamples(
  { guard, resource, against, count, of: whole, limit, isCount }: GuardFigure,
  sample: (metric: Metric, value: string, more: string) => MetricSample,
): MetricSample[] {
  const labels = `,resource="${resource}",guard="${labelValue(guard)}",against="${against}"`;
  const share = isCount ? count : whole === 0 ? Math.min(1, count) : count / whole;
  return [
    sample('catalog_import_guard_share', String(Number(share.toFixed(5))), labels),
    sample('catalog_import_guard_limit', String(Number(limit.toFixed(5))), labels),
  ];
}

function countByCode(warnings: readonly Warning[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { code } of warnings) counts.set(code, (counts.get(code) ?? 0) + 1);
  return counts;
}

/** What stays of the existing file: the samples of other feeds, and the last success of this one if it failed. */
function keptSamples(path: string, total: Outcome, status: StatusOf): MetricSample[] {
  const own = feedLabel(status.feed);
  const isSuccess = status.isSuccess(total);
  return readSamples(path).filter(
    ({ metric, labels }) =>
      !(labels === own || labels.startsWith(`${own},`)) ||
      (metric === 'catalog_import_last_success_timestamp_seconds' && !isSuccess),
  );
}

function readSamples(path: string): MetricSample[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const [, metric = '', labels = '', value = ''] =
      /^(\w+)\{(feed="(?:[^"\\]|\\.)*"[^{}]*)\} ([\d.]+)$/.exec(line) ?? [];
    return Object.hasOwn(metrics, metric) ? [{ metric: metric as Metric, labels, value }] : [];
  });
}

function feedLabel(feed: string): string {
  return `feed="${labelValue(feed)}"`;
}

/** A label as it is quoted; braces would end the labels. */
function labelValue(text: string): string {
  return text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replace(/[{}]/g, '_');
}

function statusText(samples: readonly MetricSample[]): string {
  return Object.entries(metrics)
    .flatMap(([name, help]) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} gauge`,
      ...samples.filter(({ metric }) => metric === name).map(({ labels, value }) => `${name}{${labels}} ${value}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}
