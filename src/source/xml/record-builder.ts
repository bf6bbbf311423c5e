// Elements of an XML text → records as JSON would have them, so that mappings read both alike.
//
//   <price currency="EUR">9.50</price>       price: "9.50", "price@currency": "EUR"
//   <g:price>9.50</g:price>                  "g:price": "9.50"
//   <img>a</img> <img>b</img>                img: ["a", "b"]
//   <dim><w>1</w><h>2</h></dim>              dim: {w: "1", h: "2"}, which a mapping calls dim.w
//   <item id="7">                            "@id": "7", of the record itself
//   text next to elements                     "#text"
import type { Attributes } from './xml-parser.js';

type XmlValue = string | Members | readonly (string | Members)[];
interface Members {
  [name: string]: XmlValue;
}

export interface RecordBuilder {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  close(): void;
  /** The elements that are open inside the record. */
  depth(): number;
  record(): Members;
}

/** An open element. Most contain only text, so that other members are created when needed. */
interface Open {
  readonly name: string;
  readonly attributes: Attributes | undefined;
  members: Members | undefined;
  text: string;
}

export function recordBuilder(name: string, attributes: Attributes): RecordBuilder {
  const record: Members = {};
  let top: Open = { name, attributes: undefined, members: record, text: '' };
  const outer: Open[] = [];
  for (const attribute in attributes) setMember(record, `@${attribute}`, attributes[attribute]);

  return {
    open(child, given) {
      outer.push(top);
      top = { name: child, attributes: given, members: undefined, text: '' };
    },
    text(text) {
      top.text = top.text === '' ? text : top.text + text;
    },
    close() {
      const closed = top;
      const parent = outer.pop();
      if (parent === undefined) return addText(record, closed.text);
      top = parent;
      parent.members ??= {};
      put(parent.members, closed);
    },
    depth: () => outer.length,
    record: () => record,
  };
}

/** Text next to elements becomes a member of its own. */
function addText(members: Members, text: string): void {
  const trimmed = text.trim();
  if (trimmed !== '') setMember(members, '#text', trimmed);
}

/** Adds a closed element to the members of its parent. */
function put(parent: Members, { name, attributes, members, text }: Open): void {
  const before = countOf(parent, name);
  if (members === undefined) {
    add(parent, name, text.trim(), before);
    for (const attribute in attributes) add(parent, `${name}@${attribute}`, attributes[attribute] ?? '', before);
    return;
  }
  for (const attribute in attributes) setMember(members, `@${attribute}`, attributes[attribute]);
  addText(members, text);
  add(parent, name, members, before);
}

/** How many values a member has so far. */
function countOf(members: Members, name: string): number {
  if (!Object.hasOwn(members, name)) return 0;
  const there = members[name];
  return Array.isArray(there) ? there.length : 1;
}

/** Adds a value: a single one as it is, several as a list in order. */
function add(members: Members, name: string, value: string | Members, before: number): void {
  if (before === 0) return setMember(members, name, value);
  const there = Object.hasOwn(members, name) ? members[name] : undefined;
  const list: unknown[] = Array.isArray(there) ? there : there === undefined ? [] : [there];
  while (list.length < before) list.push('');
  list.push(value);
  setMember(members, name, list);
}

/** Sets an own property, whatever its name. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  // The only name whose assignment would not create an own property.
  if (name === '__proto__') {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else object[name] = value;
}
