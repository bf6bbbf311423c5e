// The items of a plan as a source. They are imported like items of a file, each bound to the state its record had.
import { notices } from '../../core/diagnostics/notice-codes.js';
import { type RawEntry, type SettledEntry, settledEntry, type WrittenAmount } from '../../core/entry.js';
import { parseJson } from '../../core/text/parse-json.js';
import { unchangedLine } from '../../core/unchanged-line.js';
import { formats } from '../../source/bytes/detect-format.js';
import type { Chunk, Source, SourceDescription } from '../../source/open-source.js';
import { type PlannedChange, type PlannedRefusal, planError } from './plan-format.js';
import { checkUntouched, planLines } from './plan-lines.js';
import type { OpenPlan, PlanSection } from './read-plan.js';

/** Items read at a time. */
const inChunk = 200;

/**
 * The lines of a section.
 * @throws CatalogError `usage` for a line that is not valid in a plan
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

/** Checks the types of a line's members: a plan may come from an attacker. */
function checkedLine(path: string, text: string): PlannedChange | PlannedRefusal {
  const line = parsedLine(text);
  if (line === undefined || !isNamed(line) || !(isRefusal(line) || isChange(line)))
    throw planError(path, 'the plan is damaged');
  return line as unknown as PlannedChange | PlannedRefusal;
}

type LineMembers = Readonly<Record<string, unknown>>;

function parsedLine(text: string): LineMembers | undefined {
  try {
    const line = parseJson(text);
    return isObject(line) ? line : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is LineMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function areTexts(...values: readonly unknown[]): boolean {
  return values.every((value) => typeof value === 'string');
}

/** Whether a member is absent, or a list whose entries pass the check. */
function isListOf(value: unknown, isEntry: (entry: unknown) => boolean): boolean {
  return value === undefined || (Array.isArray(value) && value.every(isEntry));
}

function isNamed({ line, key, id, notice }: LineMembers): boolean {
  const isNotice = (entry: unknown): boolean =>
    isObject(entry) && areTexts(entry['code'], entry['field'], entry['message']);
  return Number.isSafeInteger(line) && areTexts(key, id ?? '') && isListOf(notice, isNotice);
}

function isRefusal({ action, code, title, reason }: LineMembers): boolean {
  return action === 'refused' && areTexts(code, title, reason);
}

function isChange({ action, before, batch, item, amounts, changes }: LineMembers): boolean {
  const isFieldChange = (entry: unknown): boolean => isObject(entry) && areTexts(entry['field']);
  return (
    ['created', 'updated', 'unchanged'].includes(String(action)) &&
    areTexts(before) &&
    Number.isSafeInteger(batch) &&
    isObject(item) &&
    isListOf(amounts, isAmount) &&
    isListOf(changes, isFieldChange)
  );
}

function isAmount(value: unknown): value is WrittenAmount {
  if (!isObject(value)) return false;
  const { field, text, source, written, codes } = value;
  return areTexts(field, text, source, written) && Array.isArray(codes) && areTexts(...codes);
}

/**
 * The source of a section.
 * @param isApplied whether an earlier run applied the plan's nth item, from 0
 */
export function planSource(plan: OpenPlan, section: PlanSection, isApplied: (nth: number) => boolean): Source {
  const { file } = plan;
  let at = section.begin;
  async function* chunks(): AsyncGenerator<Chunk> {
    for (const { chunk, next } of chunksOf(plan, section, isApplied)) {
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
    // A section without changes counts as having rows, since its file had some.
    leftOut: () => (section.items === 0 ? section.counts.total : 0),
    overflowed: () => false,
    notes: () => [],
    warnings: () => [],
    close: async () => undefined,
  };
}

/** Whether a text is the name of a format. */
function isFormat(word: string): word is SourceDescription['format'] {
  return formats.some((format) => format === word);
}

function* chunksOf(
  plan: OpenPlan,
  section: PlanSection,
  isApplied: (nth: number) => boolean,
): Generator<{ readonly chunk: Chunk; readonly next: number }> {
  const isOnce = section.of.oncePerBatch === true;
  let entries: (RawEntry | SettledEntry)[] = [];
  let lines: number[] = [];
  let batch = -1;
  let end = section.begin;
  let nth = section.itemsBefore;
  for (const { line, next } of sectionLines(plan, section)) {
    if (line.action === 'refused') continue;
    // If a batch may contain a record only once, two rows of a record that were in two batches stay in two.
    const isBetween = isOnce ? line.batch !== batch : entries.length >= inChunk;
    if (isBetween && entries.length > 0) {
      yield { chunk: { entries, lines, ...(isOnce && { endsBatch: true }) }, next: end };
      entries = [];
      lines = [];
    }
    entries.push(entryOf(line, isApplied(nth++)));
    lines.push(line.line);
    batch = line.batch;
    end = next;
  }
  if (entries.length > 0) yield { chunk: { entries, lines, ...(isOnce && { endsBatch: true }) }, next: end };
}

function entryOf({ key, item, before, amounts, repeats }: PlannedChange, isApplied: boolean): RawEntry | SettledEntry {
  if (isApplied) {
    const notice = { code: 'already_applied', field: '', message: notices.already_applied.meaning };
    return settledEntry(item, unchangedLine(key, null, [notice]));
  }
  return {
    kind: 'raw',
    item,
    ...(amounts && { amounts: amounts as readonly WrittenAmount[] }),
    planned: { before, ...(repeats === true && { repeats }) },
  };
}
