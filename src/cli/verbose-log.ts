// The log of --verbose on stderr: the steps of a command and their durations. The number of lines is bounded: of a
// repeated step the first occurrences are logged one by one, later ones together.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Command } from 'commander';
import { maskCredentials } from '../core/text/mask-credentials.js';
import { groupDigits, sanitizeText } from '../core/text/sanitize.js';
import { stepChannel, type TimedStep } from '../core/timed-step.js';
import { programVersion } from '../store/program-version.js';
import { findConfigs } from './config/find-config.js';
import { commandChain } from './config/resolve-config.js';

/** Occurrences of a step that are logged one by one. */
const shownAtMost = 10;
/** Failed requests that are logged one by one. */
const failuresAtMost = 100;
/** Milliseconds between lines that summarize steps; doubled after each ten lines, up to a minute. */
const firstInterval = 1_000;
const lastInterval = 60_000;

interface StepTally {
  count: number;
  milliseconds: number;
  items: number;
}

interface Log {
  readonly write: (words: string) => void;
  /** Totals of all occurrences, and of those since the last summary line. */
  readonly totals: Map<string, StepTally>;
  since: Map<string, StepTally>;
  failures: number;
  interval: number;
  lines: number;
  next: number;
}

/**
 * Starts the log of a command.
 * @returns ends the log with the totals
 */
export function startLog(command: Command, process: NodeJS.Process): () => void {
  const write = (words: string): void => {
    process.stderr.write(`[${seconds(performance.now())}] ${sanitizeText(words)}\n`);
  };
  const log: Log = {
    ...{ write, totals: new Map(), since: new Map(), failures: 0 },
    ...{ interval: firstInterval, lines: 0, next: performance.now() + firstInterval },
  };
  write(`catalog-import ${programVersion()}, Node.js ${process.version}, process ${process.pid}`);
  const files = findConfigs(process.env);
  write(files.length === 0 ? 'no configuration file' : `configuration file ${files.join(' and ')}`);
  write(optionWords(command));
  const listen = (message: unknown): void => addStep(log, message as TimedStep);
  subscribe(stepChannel, listen);
  const begun = performance.now();
  return () => {
    unsubscribe(stepChannel, listen);
    writeTotals(log, process, begun);
  };
}

/** The given options, each with its source. */
function optionWords(command: Command): string {
  const given = commandChain(command).flatMap((one) =>
    one.options.flatMap((option) => {
      const name = option.attributeName();
      const source = one.getOptionValueSource(name);
      if (source === undefined || source === 'default' || name === 'verbose') return [];
      const value = one.getOptionValue(name) as unknown;
      const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
      return [`${option.long} ${maskCredentials(shown)}${source === 'config' ? ' (from the file)' : ''}`];
    }),
  );
  return given.length === 0 ? 'no options' : `options: ${given.join(', ')}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} s`;
}

function add(tallies: Map<string, StepTally>, { name, milliseconds, items = 0 }: TimedStep): StepTally {
  const tally = tallies.get(name) ?? { count: 0, milliseconds: 0, items: 0 };
  tally.count++;
  tally.milliseconds += milliseconds;
  tally.items += items;
  tallies.set(name, tally);
  return tally;
}

const words: Readonly<Record<TimedStep['name'], string>> = {
  open: 'catalog opened',
  source: 'file opened',
  read: 'items read',
  decide: 'items checked and decided',
  save: 'rows written',
  commit: 'transaction committed',
  request: 'request',
  wait: 'waiting, since the remote',
};

function addStep(log: Log, step: TimedStep): void {
  const { count } = add(log.totals, step);
  const isFailure = step.outcome !== undefined && !/^[23]/.test(step.outcome);
  if (count <= shownAtMost || (isFailure && log.failures++ < failuresAtMost)) {
    const items = step.items === undefined ? '' : `${groupDigits(step.items)} `;
    const subject = step.subject === undefined ? '' : ` ${step.subject}`;
    const outcome = step.outcome === undefined ? '' : `: ${step.outcome}`;
    log.write(`${items}${words[step.name]}${subject}${outcome} (${seconds(step.milliseconds)})`);
    return;
  }
  add(log.since, step);
  const now = performance.now();
  if (now < log.next) return;
  log.write(`meanwhile: ${tallyWords(log.since)}`);
  log.since = new Map();
  log.lines++;
  if (log.lines % 10 === 0) log.interval = Math.min(lastInterval, 2 * log.interval);
  log.next = now + log.interval;
}

function tallyWords(tallies: ReadonlyMap<string, StepTally>): string {
  return [...tallies]
    .map(([name, { count, milliseconds, items }]) => {
      const what = items > 0 ? `${groupDigits(items)} items` : `${groupDigits(count)} times`;
      return `${name} ${seconds(milliseconds)} (${what})`;
    })
    .join(', ');
}

function writeTotals({ write, totals }: Log, process: NodeJS.Process, begun: number): void {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const steps = totals.size === 0 ? '' : `: ${tallyWords(totals)}`;
  write(`done after ${seconds(performance.now())}, of which start-up ${seconds(begun)}${steps}`);
  write(
    `processor time ${seconds((userCPUTime + systemCPUTime) / 1000)}, memory at most ${groupDigits(Math.round(maxRSS / 1024))} MiB`,
  );
}
