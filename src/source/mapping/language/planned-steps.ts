// Which steps an expression has: those that are written, with a `number` step where a number has to be read.

/** Steps that calculate. */
export const computing: ReadonlySet<string> = new Set(['round', 'shift', 'plus', 'times']);

/** A step by its word, with the options by which it reads numbers. */
interface PlannedStep {
  readonly word: string;
  readonly number: unknown;
}

interface NumberPlan {
  readonly steps: readonly PlannedStep[];
  /** Whether a step reads or replaces the value of the source: `number`, `date`, `lookup`. */
  readonly isRead: boolean;
  /** Whether the value of the source is calculated with. */
  readonly isComputed: boolean;
}

/**
 * The steps with those that read a number: before the first one that calculates, and at the end of what gives a number. What is
 * looked up is another value, which has not been read.
 * @param about `isAmount`: whether the expression gives a number; `isKnown`: whether its source gives one that is read
 */
export function withNumbers(
  words: readonly string[],
  about: {
    readonly number: unknown;
    readonly isAmount: boolean;
    readonly isKnown: boolean;
    readonly fail: (what: string) => never;
  },
): NumberPlan {
  const steps: PlannedStep[] = [];
  const [use] = words.filter((word) => computing.has(word) || ['number', 'date', 'lookup'].includes(word));
  let isRead = about.isKnown;
  let computed: string | undefined;
  for (const word of words) {
    if (computing.has(word)) {
      computed ??= word;
      if (!isRead) steps.push({ word: 'number', number: true });
      isRead = true;
    } else if (word === 'lookup') {
      computed = undefined;
      isRead = false;
    } else if (word === 'number' && computed !== undefined)
      about.fail(`a number is read before it is calculated with; write number: before ${computed}:`);
    else if (word === 'number' || word === 'date') isRead = true;
    steps.push({ word, number: about.number });
  }
  if (about.isAmount && !isRead) steps.push({ word: 'number', number: true });
  const isComputed = use !== undefined && computing.has(use);
  return { steps, isRead: use !== undefined && !isComputed, isComputed };
}

/** Words that belong to a step or source next to them, and what to write where there is none. */
const modifiers: Readonly<Record<string, { readonly of: readonly string[]; readonly remedy: string }>> = {
  aggregate: { of: [], remedy: '' },
  else: { of: ['map', 'lookup'], remedy: 'for an empty value write default:' },
  zone: { of: ['date'], remedy: 'write date: as well, such as date: iso' },
  name: { of: ['path'], remedy: 'write path: as well, such as path: ">"' },
  names: { of: ['path'], remedy: 'write path: as well, such as path: ">"' },
  drop: { of: ['path'], remedy: 'write path: as well, such as path: ">"' },
  optional: {
    of: ['column', 'columns', 'first', 'template', 'json'],
    remedy: 'write it next to one of these, or leave it out',
  },
};

export function isModifier(word: string): boolean {
  return Object.hasOwn(modifiers, word);
}

/** Refuses words that would have no effect: one without what it belongs to, and steps behind `aggregate`. */
export function refuseMisplaced(
  words: Readonly<Record<string, unknown>>,
  source: string,
  fail: (word: string, what: string) => never,
): void {
  const written = Object.keys(words);
  for (const [word, { of, remedy }] of Object.entries(modifiers)) {
    if (!Object.hasOwn(words, word) || of.length === 0 || of.some((owner) => Object.hasOwn(words, owner))) continue;
    const owners = of.length === 1 ? of.join('') : `${of.slice(0, -1).join(', ')} or ${of.at(-1)}`;
    const isBranch = word === 'else' && source === 'when';
    fail(word, `"${word}" belongs to ${owners}; ${isBranch ? lastBranch(words['else']) : remedy}`);
  }
  const behind = Object.hasOwn(words, 'aggregate') ? written.slice(written.indexOf('aggregate') + 1) : [];
  const step = behind.find((word) => word !== source && !isModifier(word));
  if (step !== undefined)
    fail(step, `steps run for each row, before aggregate: makes one value of them; write ${step}: before aggregate:`);
}

/** What to write for `else` where it is no branch of its own. */
export function lastBranch(value: unknown): string {
  return `write it as a branch of its own, the last one: { else: ${typeof value === 'object' ? '…' : String(value)} }`;
}
