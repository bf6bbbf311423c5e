// The items of a plan as sources, one for each file of its import. They are imported like items of a file, each bound to
// the values that it expects.
import { notices } from '../../core/diagnostics/notice-codes.js';
import { type Entry, settledEntry } from '../../core/entry.js';
import { unchangedLine } from '../../core/unchanged-line.js';
import type { Chunk, Source, SourceDescription } from '../../source/open-source.js';
import { type OpenPlan, type PlanItem, type PlanSection, planItems } from './read-plan.js';

/** Items read at a time. */
const inChunk = 200;

/** The sources of a plan's files, which are read one after the other. */
export interface PlanSources {
  open(section: PlanSection): Source;
  close(): Promise<unknown>;
}

/** The items of a plan, as far as they were read. */
interface Reading {
  readonly blocks: AsyncGenerator<readonly PlanItem[]>;
  block: readonly PlanItem[];
  /** The index of the next item in the block, and in the plan, where refused ones do not count. */
  at: number;
  nth: number;
  readonly isApplied: (nth: number) => boolean;
}

/** @param isApplied whether an earlier run applied the plan's nth item, from 0 */
export function planSources(plan: OpenPlan, isApplied: (nth: number) => boolean = () => false): PlanSources {
  const reading: Reading = { blocks: planItems(plan), block: [], at: 0, nth: 0, isApplied };
  return {
    open: (section) => ({
      found: {
        format: section.format as SourceDescription['format'],
        ...{ encoding: section.encoding, delimiter: undefined, compression: undefined },
      },
      chunks: chunksOf(reading, section),
      progress: () => ({ read: reading.nth, size: undefined }),
      unknown: () => new Map(),
      columns: () => [],
      // A file without changes counts as having rows, since it had some.
      leftOut: () => (section.items === 0 ? section.counts.total : 0),
      overflowed: () => false,
      notes: () => [],
      warnings: () => [],
      close: async () => undefined,
    }),
    close: () => reading.blocks.return(undefined),
  };
}

/**
 * The items of the next file. If a batch may contain a record only once, two rows of a record, which were in two batches,
 * stay in two.
 */
async function* chunksOf(reading: Reading, { of, lines: all }: PlanSection): AsyncGenerator<Chunk> {
  const isOnce = of.oncePerBatch === true;
  const most = isOnce ? of.limit : inChunk;
  const keys = new Set<string>();
  let chunk: { readonly entries: Entry[]; readonly lines: number[] } = { entries: [], lines: [] };
  for (let left = all; left > 0; left--) {
    while (reading.at === reading.block.length) {
      const next = await reading.blocks.next();
      if (next.done === true) return;
      reading.block = next.value;
      reading.at = 0;
    }
    const { entry, line, report } = reading.block[reading.at++] as PlanItem;
    // One that was refused is no part of the plan.
    if (entry === undefined) continue;
    const { external_id: key } = report;
    if (chunk.lines.length === most || (isOnce && keys.has(key))) {
      yield { ...chunk, ...(isOnce && { endsBatch: true }) };
      chunk = { entries: [], lines: [] };
      keys.clear();
    }
    chunk.entries.push(reading.isApplied(reading.nth++) ? appliedEntry(entry.item, key) : entry);
    chunk.lines.push(line);
    if (isOnce) keys.add(key);
  }
  if (chunk.lines.length > 0) yield { ...chunk, ...(isOnce && { endsBatch: true }) };
}

function appliedEntry(item: unknown, key: string): Entry {
  const notice = { code: 'already_applied', field: '', message: notices.already_applied.meaning };
  return settledEntry(item, unchangedLine(key, null, [notice]));
}
