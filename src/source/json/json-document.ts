// Builds records from the tokens of a JSON document (stream-json): the elements of an array, alone or as {"items":
// […]}, or a single value.
import type { Token } from 'stream-json/core/parser.js';
import { writtenNumber } from './written-number.js';

/**
 * Levels that are built: a record, a list in it, its entries, and one more than coercion accepts, so that anything
 * nested deeper is refused without using memory.
 */
export const deepest = 20;

/** The position in the document: before its kind is known, among its records, after `items`, at its end. */
type PathPart = 'start' | 'items' | 'tail' | 'second items' | 'end';

type Container = unknown[] | Record<string, unknown>;

/** Reads the literal of a number. */
export type NumberReader = (literal: string) => unknown;

export interface JsonDocument {
  readonly part: PathPart;
  /** Members beside `items`, which are not imported; at most ten. */
  beside(): readonly string[];
  /** Takes the next tokens; returns the record that they complete, if any. They may complete at most one. */
  take(tokens: readonly Token[]): { readonly record: unknown } | undefined;
}

/**
 * Creates the consumer of the tokens of one document. Longer than a screen: its parts are the handlers of one stream of
 * tokens, which share the open containers.
 * @param isField tells the resource's fields: an object that names another before `items` is itself the record
 * @param numberOf what becomes of the text of a number
 */
export function jsonDocument(isField: (name: string) => boolean, numberOf: NumberReader = writtenNumber): JsonDocument {
  let part: PathPart = 'start';
  let enveloped = false;
  let plain = false;
  // The open containers of the record, or of the top object until its kind is known.
  const outer: Container[] = [];
  let open: Container | undefined;
  let key = '';
  const members = new Set<string>();
  // Number of open containers beyond the deepest level: they are counted and not built.
  let beyond = 0;
  let done: { readonly record: unknown } | undefined;

  function put(value: unknown): void {
    if (Array.isArray(open)) open.push(value);
    else if (open !== undefined) setMember(open, key, value);
    else complete(value);
  }

  function complete(record: unknown): void {
    if (part === 'tail') return;
    done = { record };
    if (part === 'start') part = 'end';
  }

  function named(name: string): void {
    key = name;
    if (part === 'items') return;
    const isTop = part === 'start' ? outer.length === 0 : open === undefined;
    if (isTop && name !== 'items' && members.size < 10) members.add(name);
    if (part === 'start' && outer.length === 0) plain ||= name !== 'items' && isField(name);
    else if (part === 'tail' && open === undefined && name === 'items') part = 'second items';
  }

  function begin(container: Container): void {
    if (part === 'start' && Array.isArray(container)) {
      enveloped = open !== undefined && outer.length === 0 && key === 'items' && !plain;
      if (open === undefined || enveloped) {
        part = 'items';
        open = undefined;
        return;
      }
    }
    if (open !== undefined) {
      put(container);
      outer.push(open);
    }
    open = container;
  }

  function end(): void {
    if (open === undefined) part = enveloped && part === 'items' ? 'tail' : 'end';
    else {
      const closed = open;
      open = outer.pop();
      if (open === undefined) complete(closed);
    }
  }

  function take(token: Token): void {
    switch (token.name) {
      case 'keyValue':
        return named(token.value);
      case 'stringValue':
      case 'trueValue':
      case 'falseValue':
      case 'nullValue':
        return put(token.value);
      case 'numberValue':
        return put(numberOf(token.value));
      case 'startObject':
      case 'startArray':
        if (outer.length + 1 >= deepest) beyond = 1;
        return begin(token.name === 'startObject' ? {} : []);
      case 'endObject':
      case 'endArray':
        return end();
    }
  }

  return {
    get part() {
      return part;
    },
    beside: () => (enveloped ? [...members] : []),
    take(tokens) {
      done = undefined;
      for (const token of tokens) {
        if (beyond === 0) take(token);
        else if (token.name === 'startObject' || token.name === 'startArray') beyond++;
        else if (token.name === 'endObject' || token.name === 'endArray') {
          if (--beyond === 0) end();
        }
      }
      return done;
    },
  };
}

/** Sets an own property, whatever its name; of two with the same name the last wins, as in JSON.parse. */
export function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  // The only name whose assignment would not create an own property.
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else object[name] = value;
}
