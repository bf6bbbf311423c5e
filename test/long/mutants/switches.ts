// All faults of a source at once, each behind a switch, so that one process can run its tests with one fault after the other.
import { type Fault, opposites } from './faults.js';

/** A fault with the number of its switch. */
export type Numbered = readonly [number: number, fault: Fault];

/**
 * The source with its faults. It does the same as before as long as no switch is on (see Switches).
 * @param text TypeScript, of which types are taken out afterwards and not looked at
 */
export function withSwitches(text: string, faults: readonly Numbered[]): string {
  const outermostFirst = [...faults].sort(
    ([, { node: a }], [, { node: b }]) =>
      a.start - b.start || b.end - a.end || Number(b.form === 'statement') - Number(a.form === 'statement'),
  );
  return `const __switches = globalThis.__switches;${switched(text, 0, text.length, outermostFirst)}`;
}

/** The text between two places, with the switches of the faults in it. Nodes are in each other, or apart. */
function switched(text: string, start: number, end: number, faults: readonly Numbered[]): string {
  const [first] = faults;
  if (first === undefined) return text.slice(start, end);
  const { node } = first[1];
  const after = faults.findIndex(([, fault]) => fault.node.start >= node.end);
  const inside = after === -1 ? faults : faults.slice(0, after);
  const rest = after === -1 ? [] : faults.slice(after);
  return text.slice(start, node.start) + switchedNode(text, inside) + switched(text, node.end, end, rest);
}

/** @param faults those of a node, and of what is in it */
function switchedNode(text: string, faults: readonly Numbered[]): string {
  const [[number, { node, operands, piece, change }], ...inside] = faults as [Numbered, ...Numbered[]];
  if (node.form === 'statement')
    return `{if(!__switches.on(${number})){${switched(text, node.start, node.end, inside)}}}`;
  const isWaiting = /\b(?:await|yield)\b/.test(text.slice(node.start, node.end));
  if (node.form === 'expression' || isWaiting) {
    const changed = text.slice(node.start, piece.start) + change + text.slice(piece.end, node.end);
    return `(__switches.on(${number})?(${changed}\n):(${switched(text, node.start, node.end, inside)}\n))`;
  }
  const operator = text.slice(piece.start, piece.end);
  const left = inside.filter(([, fault]) => fault.node.end <= operands.start);
  const right = inside.filter(([, fault]) => fault.node.start >= operands.end);
  const one = `(${switched(text, node.start, piece.start, left)}\n)`;
  const other = `(${switched(text, piece.end, node.end, right)}\n)`;
  if (operator === '&&' || operator === '||') return `__switches.logical(${number},'${operator}',${one},()=>${other})`;
  return `__switches.comparison(${number},'${operator}',${one},${other})`;
}

const comparisons: Readonly<Record<string, (a: unknown, b: unknown) => boolean>> = {
  '===': (a, b) => a === b,
  '!==': (a, b) => a !== b,
  '<': (a, b) => (a as number) < (b as number),
  '<=': (a, b) => (a as number) <= (b as number),
  '>': (a, b) => (a as number) > (b as number),
  '>=': (a, b) => (a as number) >= (b as number),
};

/** The switches of all faults: at most one is on. */
export class Switches {
  /** The number of the one that is on; -1 if none is, and -2 if the faults that change something are noted besides. */
  #on = -1;
  #noted = new Set<number>();
  #evaluations = 0;
  #deadline = Infinity;

  /** Notes from now on which faults would change a value, all switches off. */
  note(): void {
    this.#on = -2;
    this.#noted = new Set();
  }

  /** What was noted. Nothing is noted any more. */
  noted(): ReadonlySet<number> {
    this.turnOff();
    return this.#noted;
  }

  /** @param within milliseconds after which a loop is ended that the fault made endless */
  turnOn(number: number, within: number): void {
    this.#on = number;
    this.#deadline = performance.now() + within;
  }

  turnOff(): void {
    this.#on = -1;
    this.#deadline = Infinity;
  }

  /** Whether a switch is on, asked where its fault is. */
  on(number: number): boolean {
    if (this.#on === -2) this.#noted.add(number);
    if ((++this.#evaluations & 0x3fff) === 0 && performance.now() > this.#deadline) throw new Error('endless');
    return this.#on === number;
  }

  /** A comparison, the fault of which is noted only where it tells the operands apart. */
  comparison(number: number, operator: string, a: unknown, b: unknown): boolean {
    const result = comparisons[operator]?.(a, b) ?? false;
    const other = comparisons[opposites[operator] ?? '']?.(a, b) ?? false;
    if (this.#on === -2 && (result === other || this.#noted.has(number))) return result;
    return this.on(number) ? other : result;
  }

  /** A condition of two parts, the fault of which is noted only where the parts may differ. */
  logical(number: number, operator: string, a: unknown, other: () => unknown): unknown {
    const isDecided = operator === '&&' ? !a : Boolean(a);
    if (this.#on === -2) {
      if (isDecided) this.#noted.add(number);
      const result = isDecided ? a : other();
      if (result !== a) this.#noted.add(number);
      return result;
    }
    return isDecided === this.on(number) ? other() : a;
  }
}
