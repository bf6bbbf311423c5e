// Elements of an XML text → records as JSON would have them, so that mappings read both alike.
//
//   <price currency="EUR">9.50</price>       price: "9.50", "price@currency": "EUR"
//   <g:price>9.50</g:price>                  "g:price": "9.50"
//   <img>a</img> <img>b</img>                img: ["a", "b"]
//   <dim><w>1</w><h>2</h></dim>              dim: {w: "1", h: "2"}, which a mapping calls dim.w
//   <item id="7">                            "@id": "7", of the record itself
//   text beside elements                     "#text"
import { setMember } from '../json-document.js';
import type { Attributes } from './xml-parser.js';

type Value = string | Members | readonly (string | Members)[];
export interface Members {
  [name: string]: Value;
}

/** Builds one record, event by event. */
export interface RecordBuilder {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  /** Ends an element. */
  close(): void;
  /** The elements that are open inside the record. */
  depth(): number;
  /** What was built, of the element that was opened first. */
  record(): Members;
}

interface Open {
  readonly name: string;
  readonly attributes: readonly (readonly [string, string])[];
  readonly members: Members;
  /** How often each child was there. */
  readonly counts: Map<string, number>;
  text: string;
}

/** Begins the record of an element. */
export function recordBuilder(name: string, attributes: Attributes): RecordBuilder {
  let top = begun(name, attributes);
  const root = top;
  const outer: Open[] = [];
  for (const [attribute, value] of top.attributes) setMember(top.members, `@${attribute}`, value);

  return {
    open(child, given) {
      outer.push(top);
      top = begun(child, given);
    },
    text(text) {
      top.text += text;
    },
    close() {
      const closed = top;
      const parent = outer.pop();
      if (parent === undefined) return void finish(closed);
      top = parent;
      put(parent, closed);
    },
    depth: () => outer.length,
    record: () => root.members,
  };
}

function begun(name: string, attributes: Attributes): Open {
  return { name, attributes: Object.entries(attributes), members: {}, counts: new Map(), text: '' };
}

/** Text beside elements is a member of its own. */
function finish(closed: Open): void {
  const text = closed.text.trim();
  if (text !== '') setMember(closed.members, '#text', text);
}

/** Adds an element that ended to the one it stands in. */
function put(parent: Open, closed: Open): void {
  const { name, attributes, members, counts } = closed;
  const before = parent.counts.get(name) ?? 0;
  parent.counts.set(name, before + 1);
  if (counts.size === 0) {
    add(parent.members, name, closed.text.trim(), before);
    for (const [attribute, value] of attributes) add(parent.members, `${name}@${attribute}`, value, before);
    return;
  }
  for (const [attribute, value] of attributes) setMember(members, `@${attribute}`, value);
  finish(closed);
  add(parent.members, name, members, before);
}

/** Adds a value: alone it stands by itself, of several in a list where each has its place. */
function add(members: Members, name: string, value: string | Members, before: number): void {
  const there = Object.hasOwn(members, name) ? members[name] : undefined;
  if (before === 0 || (there === undefined && before === 0)) return setMember(members, name, value);
  const list: (string | Members)[] = Array.isArray(there)
    ? there
    : there === undefined
      ? []
      : [there as string | Members];
  while (list.length < before) list.push('');
  list.push(value);
  setMember(members, name, list);
}
