// Formats numbers, times and options for a page.
import { ellipsize } from '../../../core/text/sanitize.js';
import { shownTime } from '../../shown-time.js';
import { html, type Markup } from './markup.js';

/** A duration: `340 ms`, `12.4 s`, `3 min 20 s`. */
export function duration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

export function moment(date: Date): Markup {
  return html`<time datetime="${date.toISOString()}">${shownTime(date.getTime() / 1000)}</time>`;
}

/** A share: `12 %`, `0.4 %`, `< 0.1 %`. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %';
  const share = (100 * part) / whole;
  if (share < 0.1) return '< 0.1 %';
  // A share below the whole is never shown as 100 %.
  return share < 10
    ? `${share.toFixed(1).replace('.0', '')} %`
    : `${part < whole ? Math.min(99, Math.round(share)) : 100} %`;
}

export function fileName(file: string): string {
  return file === '-' ? 'standard input' : file;
}

/** The last part of a path. */
export function baseName(file: string): string {
  return fileName(file).replace(/^.*[/\\](?=[^/\\])/, '');
}

const mostOptions = 40;
const longestOption = 300;

/** The options as they were typed: `--dry-run`, `--decimal ,`. */
export function typedOptions(options: Readonly<Record<string, unknown>>): string[] {
  const typed = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    if (value === true) return [`--${name}`];
    return [value].flat().map((one) => `--${name} ${String(one)}`);
  });
  const shown = typed.slice(0, mostOptions).map((option) => ellipsize(option, longestOption));
  return typed.length > mostOptions ? [...shown, '…'] : shown;
}
