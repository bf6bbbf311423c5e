// Parses XML text to events, in bounded memory. The home of saxes: it validates and reads the text; everything it would
// hold without a limit (nesting, names, attributes, texts, a document type) is bounded here. No entity of a document
// type is expanded.
import { SaxesParser } from 'saxes';

/** Attributes by name, as written. */
export type Attributes = Readonly<Record<string, string>>;

/** The events of an XML text, in order. Character data may come in several parts. */
export interface XmlEvents {
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly text?: (text: string) => void;
  readonly close?: (name: string) => void;
}

/** An error in a text, with its position. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';

  constructor(
    message: string,
    readonly line: number,
    /** Undefined where only the line is known. */
    readonly column: number | undefined,
  ) {
    super(message);
  }
}

export interface XmlParser {
  /**
   * Takes the next piece of the text.
   * @throws XmlFault if it is not XML, or exceeds a limit
   */
  write(text: string): void;
  /**
   * Ends the text.
   * @throws XmlFault if it is incomplete
   */
  end(): void;
  /** The current line, from 1. */
  line(): number;
  /** The line on which the latest opening tag begins: it may end further down. */
  tagLine(): number;
  /** The characters read so far. */
  position(): number;
}

export interface XmlLimits {
  /** Nesting of elements. */
  readonly depth: number;
  /** Characters of one tag, text, comment or document type. */
  readonly piece: number;
}

const usual: XmlLimits = { depth: 64, piece: 4 * 1024 * 1024 };

/** Characters of the longest name of an entity. */
const longestEntity = 64;

/** Characters that saxes is given at once: what a limit is overrun by. */
const step = 64 * 1024;

/**
 * Makes the parser of one text.
 * @param entity the text of an entity that XML does not know, such as `nbsp`; undefined refuses it
 */
export function xmlParser(
  events: XmlEvents,
  { limits = usual, entity }: { limits?: XmlLimits; entity?: (name: string) => string | undefined } = {},
): XmlParser {
  const parser = new SaxesParser();
  let fault: XmlFault | undefined;
  let depth = 0;
  // Characters since the last event: saxes holds no more of the text than these.
  let held = 0;

  let tagLine = 1;

  // saxes closes an element before it reports that its end tag has another name.
  let closed: { readonly name: string; readonly position: number } | undefined;

  function flush(): void {
    if (closed === undefined) return;
    if (fault === undefined) events.close?.(closed.name);
    closed = undefined;
  }

  function fail(message: string): void {
    fault ??= new XmlFault(message, parser.line, parser.column + 1);
  }

  /** saxes reads on from an ampersand to the next semicolon, however far away it is. @param after what it read, with the semicolon or not */
  function failAtAmpersand(after: string): void {
    const lines = after.split('\n').length - 1;
    const column = lines === 0 ? parser.column - after.length : undefined;
    fault ??= new XmlFault('an & that begins no entity is written &amp;', parser.line - lines, column);
  }

  /** Fails at an ampersand whose semicolon did not follow within some characters. */
  function watchAmpersand(longest: number): void {
    const begun = parser['entity'];
    if (begun.length > longest) failAtAmpersand(begun);
  }

  parser.on('error', ({ message }) => fail(message.replace(/^(?:\d+:\d+: )+/, '').replace(/\.$/, '')));
  // It comes after the sign behind the name, which may be the end of the line.
  parser.on('opentagstart', () => {
    tagLine = parser.column === 0 ? parser.line - 1 : parser.line;
  });
  parser.on('opentag', ({ name, attributes }) => {
    flush();
    held = 0;
    if (++depth > limits.depth) fail(`elements are nested deeper than ${limits.depth} levels`);
    if (fault === undefined) events.open?.(name, attributes as Attributes);
  });
  parser.on('closetag', ({ name }) => {
    flush();
    held = 0;
    depth--;
    closed = { name, position: parser.position };
  });
  const reset = () => {
    held = 0;
  };
  const take = (text: string) => {
    flush();
    held = 0;
    if (fault === undefined) events.text?.(text);
  };
  parser.on('text', take);
  parser.on('cdata', take);
  parser.on('comment', reset);
  parser.on('processinginstruction', reset);
  if (entity !== undefined) allowEntities(parser, entity, failAtAmpersand);

  function write(text: string): void {
    held += text.length;
    parser.write(text);
    watchAmpersand(longestEntity);
    if (held > limits.piece) fail(`a tag or text does not end within ${limits.piece} characters`);
    flush();
    if (fault !== undefined) throw fault;
  }

  return {
    line: () => parser.line,
    tagLine: () => tagLine,
    position: () => closed?.position ?? parser.position,
    write(text) {
      for (let at = 0; at < text.length; at += step) write(text.length <= step ? text : text.slice(at, at + step));
    },
    end() {
      watchAmpersand(0);
      parser.close();
      flush();
      if (fault !== undefined) throw fault;
    },
  };
}

/** saxes looks entities up in a table of its own. */
function allowEntities(
  parser: SaxesParser,
  entity: (name: string) => string | undefined,
  failAtAmpersand: (after: string) => void,
): void {
  const known = parser.ENTITIES;
  parser.ENTITIES = new Proxy(known, {
    get(table, name) {
      if (typeof name !== 'string') return undefined;
      if (/[\s<>&]/.test(name)) failAtAmpersand(`${name};`);
      return table[name] ?? entity(name);
    },
  });
}
