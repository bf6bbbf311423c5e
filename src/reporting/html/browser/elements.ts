// Creates elements with the DOM: content is always text, never markup.
import { visiblePieces } from '../markup/visible-text.js';

type Child = Node | string;

/** An element with attributes and children; a string is added as text. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** A supplier's text: isolated, with invisible characters made visible. */
export function dataText(text: string, className = ''): HTMLElement {
  const made = element('bdi', className === '' ? {} : { class: className });
  for (const { text: piece, isNamed } of visiblePieces(text))
    made.append(isNamed ? element('i', { class: 'u' }, piece) : piece);
  return made;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
