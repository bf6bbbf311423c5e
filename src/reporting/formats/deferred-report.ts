// A report that is withheld unless something went wrong: with --quiet an import without problems prints nothing.
import { appendFileSync, createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportObserver, Outcome } from '../../importing/observer.js';
import type { Write } from './report-form.js';

/** Maximum characters kept in memory; more goes to a temporary file, since a report has a line for every item. */
const keptAtMost = 1_000_000;

/** Texts that are kept until they are released or dropped. */
interface Held {
  texts: string[];
  length: number;
  folder: string | undefined;
}

/**
 * Makes a report whose text is written from the first refused line on, with everything before it, or at the end if the
 * run went wrong; otherwise never.
 * @param make makes the report, which writes to its argument
 * @param wentWrong whether a run with this outcome is to be told
 */
export function deferredReport(
  write: Write,
  make: (write: Write) => ImportObserver,
  wentWrong: (total: Outcome) => boolean,
): ImportObserver {
  let held: Held | undefined = { texts: [], length: 0, folder: undefined };
  const inner = make((text) => (held === undefined ? write(text) : hold(held, text)));
  const release = async (): Promise<void> => {
    if (held === undefined) return;
    const all = held;
    held = undefined;
    try {
      if (all.folder !== undefined)
        for await (const text of createReadStream(fileIn(all.folder), 'utf8')) await write(String(text));
      await write(all.texts.join(''));
    } finally {
      drop(all);
    }
  };
  const discard = (): void => {
    if (held !== undefined) drop(held);
    inner.discard?.();
  };
  return {
    ...inner,
    async batch(result) {
      if (result.report.refused > 0) await release();
      return inner.batch?.(result);
    },
    async finish(outcome) {
      if (outcome.stopped !== undefined) await release();
      return inner.finish?.(outcome);
    },
    async end(total) {
      if (wentWrong(total)) await release();
      await inner.end?.(total);
      if (held !== undefined) drop(held);
    },
    discard,
  };
}

function hold(held: Held, text: string): void {
  held.texts.push(text);
  held.length += text.length;
  if (held.length <= keptAtMost) return;
  held.folder ??= mkdtempSync(join(tmpdir(), 'catalog-import-report-'));
  appendFileSync(fileIn(held.folder), held.texts.join(''), { mode: 0o600 });
  held.texts = [];
  held.length = 0;
}

function drop(held: Held): void {
  if (held.folder !== undefined) rmSync(held.folder, { recursive: true, force: true });
  held.folder = undefined;
  held.texts = [];
}

function fileIn(folder: string): string {
  return join(folder, 'report');
}
