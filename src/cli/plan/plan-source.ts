// The items of a plan as a source: they are imported as those of a file are, each bound to the state that its record had.
import type { RawEntry, WrittenAmount } from '../../core/entry.js';
import { parseJson } from '../../core/text/parse-json.js';
import type { Chunk, Source, SourceDescription } from '../../source/open-source.js';
import { formatNames } from '../format-names.js';
import { type PlannedChange, type PlannedRefusal, planError } from './plan-format.js';
import { checkUntouched, planLines } from './plan-lines.js';
import type { OpenPlan, PlanSection } from './read-plan.js';

/** Items that are read at once. */
const inChunk = 200;

/**
 * The lines of a section.
 * @throws CatalogError `usage` for a line that no plan has
 */
export function* sectionLines(
  { file }: Pick<OpenPlan, 'file'>,
  { begin }: PlanSection,
): Generator<{ readonly line: PlannedChange | PlannedRefusal; readonly next: number }> {
  for (const { text, next } of planLines(file, begin)) {
    if (text.startsWith('{"end":')) return checkUntouched(file);
    yield { line: checkedLine(file.path, text), next };
  }
}

function checkedLine(path: string, text: string): PlannedChange | PlannedRefusal {
  const line = parseJson(text) as Readonly<Record<string, unknown>>;
  const { line: place, key, action, before, item, batch, amounts } = line;
  const isNamed = Number.isSafeInteger(place) && typeof key === 'string';
  const isRefused = action === 'refused' && typeof line['code'] === 'string';
  const isChange =
    typeof before === 'string' &&
    Number.isSafeInteger(batch) &&
    ['created', 'updated', 'unchanged'].includes(String(action)) &&
    typeof item === 'object' &&
    (amounts === undefined || (Array.isArray(amounts) && amounts.every(isAmount)));
  if (!isNamed || !(isRefused || isChange)) throw planError(path, 'the plan is damaged');
  return line as unknown as PlannedChange | PlannedRefusal;
}

function isAmount(value: unknown): value is WrittenAmount {
  if (typeof value !== 'object' || value === null) return false;
  const { field, text, source, written, codes } = value as Readonly<Record<string, unknown>>;
  return (
    [field, text, source, written].every((one) => typeof one === 'string') &&
    Array.isArray(codes) &&
    codes.every((code) => typeof code === 'string')
  );
}

/**
 * The source of a section.
 * @param applied how many items of the plan an earlier run applied
 */
export function planSource(plan: OpenPlan, section: PlanSection, applied: number): Source {
  const { file } = plan;
  let at = section.begin;
  async function* chunks(): AsyncGenerator<Chunk> {
    const reading = { left: applied - section.itemsBefore, limit: section.of.oncePerBatch === true ? 1 : inChunk };
    for (const { chunk, next } of chunksOf(plan, section, reading)) {
      at = next;
      yield chunk;
    }
  }
  return {
    found: {
      format: isFormat(section.format) ? section.format : 'ndjson',
      ...{ encoding: section.encoding, delimiter: undefined, compression: undefined },
    },
    chunks: chunks(),
    progress: () => ({ read: at, size: file.size }),
    unknown: () => new Map(),
    columns: () => [],
    leftOut: () => 0,
    overflowed: () => false,
    notes: () => [],
    close: async () => undefined,
  };
}

/** Whether a word names a format. */
function isFormat(word: string): word is SourceDescription['format'] {
  return formatNames.includes(word);
}

function* chunksOf(
  plan: OpenPlan,
  section: PlanSection,
  { left, limit }: { readonly left: number; readonly limit: number },
): Generator<{ readonly chunk: Chunk; readonly next: number }> {
  const isOnce = section.of.oncePerBatch === true;
  let entries: RawEntry[] = [];
  let lines: number[] = [];
  let batch = -1;
  let end = section.begin;
  let taken = 0;
  for (const { line, next } of sectionLines(plan, section)) {
    if (line.action === 'refused') continue;
    // Where a batch may hold a record once, two rows of a record that were in two batches stay in two.
    const isBetween = isOnce ? line.batch !== batch : entries.length >= limit;
    if (isBetween && entries.length > 0) {
      yield { chunk: { entries, lines, ...(isOnce && { endsBatch: true }) }, next: end };
      entries = [];
      lines = [];
    }
    entries.push(entryOf(line, taken++ < left));
    lines.push(line.line);
    batch = line.batch;
    end = next;
  }
  if (entries.length > 0) yield { chunk: { entries, lines, ...(isOnce && { endsBatch: true }) }, next: end };
}

function entryOf({ item, before, amounts, repeats }: PlannedChange, isApplied: boolean): RawEntry {
  return {
    kind: 'raw',
    item,
    ...(amounts && { amounts: amounts as readonly WrittenAmount[] }),
    planned: isApplied ? 'applied' : { before, ...(repeats === true && { repeats }) },
  };
}
