// HTML by a tagged template: every inserted value is escaped as text, unless it is markup made here.
import { visiblePieces } from './visible-text.js';

/** Markup that needs no escaping. Only `html` makes it. */
export class Markup {
  constructor(readonly text: string) {}
}

type MarkupPart = Markup | string | number | undefined | false | readonly MarkupPart[];

/** Makes markup from a template; inserted texts are escaped, and invisible characters in them made visible. */
export function html(strings: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  let text = strings[0] ?? '';
  parts.forEach((part, i) => {
    text += rendered(part) + (strings[i + 1] ?? '');
  });
  return new Markup(text);
}

function rendered(part: MarkupPart): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'object') return part.map(rendered).join('');
  return typeof part === 'number' ? String(part) : visible(part);
}

const plain = /^[\u0020-\u0021\u0023-\u0025\u0028-\u003b\u003d\u003f-\u007e\u00a1-\u00ac\u00ae-\u024f]*$/;

function visible(text: string): string {
  if (plain.test(text)) return text;
  return visiblePieces(text)
    .map(({ text: piece, isNamed }) => (isNamed ? `<i class="u">${escaped(piece)}</i>` : escaped(piece)))
    .join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** A supplier's text: isolated, so that its writing direction does not affect text next to it. */
export function data(text: string, className = ''): Markup {
  return className === '' ? html`<bdi>${text}</bdi>` : html`<bdi class="${className}">${text}</bdi>`;
}

/** Words of ours: the names of options in them are not broken. */
export function prose(text: string): Markup {
  return html`${text.split(/(--[a-z][a-z-]*)/).map((part, i) => (i % 2 === 0 ? html`${part}` : html`<span class="option">${part}</span>`))}`;
}

const newline = html`
`;

/** A block of text. Line breaks stay; other invisible characters are made visible. */
export function preText(id: string, text: string): Markup {
  const lines = text.trimEnd().split('\n');
  return html`<pre id="${id}" tabindex="0">${lines.map((line, i) => html`${i > 0 && newline}${line}`)}</pre>`;
}
