// Progress on stderr: a spinner on a terminal; a line every 30 s on a terminal that cannot move its cursor, in CI, and with
// --progress.
import type { Counts } from '../core/import-report.js';
import { addCounts, noCounts } from '../core/report-counts.js';
import { groupDigits, sanitizeText } from '../core/text/sanitize.js';
import type { ImportObserver } from '../importing/observer.js';
import { cutToWidth } from './formats/display-width.js';

/** The input of the progress display: the file's name, the counts so far, and how much of the file is read. */
export interface Watched {
  readonly file: string;
  readonly counts: Readonly<Counts>;
  progress(): { readonly read: number; readonly size: number | undefined };
  /** Additional text: the state of a remote. */
  more?(): readonly string[];
}

export interface ProgressOptions {
  readonly quiet: boolean;
  readonly colour: boolean;
  /** Whether the terminal can move its cursor; otherwise lines are added. */
  readonly canSpin: boolean;
  /** Whether plain lines are shown if there is no spinner. */
  readonly lines: boolean;
  /** Milliseconds between plain lines. */
  readonly interval: number;
}

/** Milliseconds before the spinner starts: short imports need none, and ora takes 80 ms to load. */
const spinnerAfter = 200;
const spinnerEvery = 150;

/** The observer that shows the progress of each file. @param more additional text: the state of a remote */
export function progressObserver(
  stderr: NodeJS.WriteStream,
  options: ProgressOptions,
  more: () => readonly string[],
): ImportObserver {
  let counts = noCounts();
  let stop: () => void = () => undefined;
  return {
    begin({ file, source }) {
      counts = noCounts();
      stop = showProgress(stderr, { file, counts, progress: source.progress, more }, options);
    },
    batch: ({ report }) => addCounts(counts, report),
    finish: () => stop(),
    discard: () => stop(),
  };
}

/** Shows the progress of one file until the returned function is called, which leaves a clean line. */
export function showProgress(
  stderr: NodeJS.WriteStream,
  watched: Watched,
  { quiet, colour, canSpin, lines, interval }: ProgressOptions,
): () => void {
  const begun = performance.now();
  const words = (): string => describeProgress(watched, (performance.now() - begun) / 1000);
  if (quiet) return () => undefined;
  if (stderr.isTTY && canSpin) return spin(stderr, { words, colour });
  if (!lines) return () => undefined;
  const timer = setInterval(() => stderr.write(`${words()}\n`), interval);
  return () => clearInterval(timer);
}

/**
 * Follows the text of a spinner: erases everything below, and returns the cursor to the start of the line. So a line
 * that a narrower window has wrapped is overwritten from its first row on, and nothing of it stays. Not by a carriage return,
 * before which the kernel divides the text: a window that becomes narrower between both parts wraps the line with the
 * cursor at its end.
 */
const eraseBelow = '\u001b[J\u001b[G';

/**
 * Around the text of a spinner: a terminal that became narrower before this process knows of it cuts the text off instead of
 * wrapping it to a second row, which nothing would erase.
 */
const noWrap = '\u001b[?7l';
const wrap = '\u001b[?7h';

/** Columns of the sign before the text, and one that stays free, since a full line would wrap. */
const spinnerWidth = 3;

function spin(
  stderr: NodeJS.WriteStream,
  { words, colour }: { readonly words: () => string; readonly colour: boolean },
): () => void {
  let stopped = false;
  let stop: (() => void) | undefined;
  const delay = setTimeout(async () => {
    const { default: ora } = await import('ora');
    if (stopped) return;
    const text = (): string =>
      noWrap + cutToWidth(words(), Math.max(1, (stderr.columns || 80) - spinnerWidth)) + eraseBelow + wrap;
    // stdin may be the file, and Ctrl-C is handled by us.
    const look = { color: colour ? ('cyan' as const) : (false as const), text: text() };
    const spinner = ora({ stream: stderr, discardStdin: false, isEnabled: true, ...look }).start();
    const update = (): void => {
      spinner.text = text();
    };
    const timer = setInterval(update, spinnerEvery);
    // Before the next frame: for a text of two rows ora would clear one row too many.
    stderr.on('resize', update);
    stop = () => {
      clearInterval(timer);
      stderr.off('resize', update);
      spinner.stop();
      stderr.write(eraseBelow);
    };
  }, spinnerAfter);
  return () => {
    stopped = true;
    clearTimeout(delay);
    stop?.();
  };
}

/** Items, items per second, refused so far; share of the file read and remaining time if its size is known. */
export function describeProgress({ file, counts, progress, more }: Watched, seconds: number): string {
  const rate = seconds > 0 ? counts.total / seconds : 0;
  const words = [
    `${groupDigits(counts.total)} items`,
    `${groupDigits(Math.round(rate))} a second`,
    `${groupDigits(counts.refused)} refused`,
  ];
  const { read, size } = progress();
  if (size !== undefined && size > 0) {
    const share = Math.min(1, read / size);
    words.push(`${Math.floor(share * 100)} % read`);
    if (share > 0 && share < 1) words.push(`${clock((seconds / share) * (1 - share))} left`);
  }
  if (more !== undefined) words.push(...more());
  return `${file === '-' ? 'standard input' : sanitizeText(file)}: ${words.join(', ')}`;
}

function clock(seconds: number): string {
  const whole = Math.ceil(seconds);
  const minutes = Math.floor(whole / 60);
  const hours = Math.floor(minutes / 60);
  const two = (value: number): string => String(value).padStart(2, '0');
  return hours > 0 ? `${hours}:${two(minutes % 60)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
