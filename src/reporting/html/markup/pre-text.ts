// Preformatted text, to be copied.
import { html, type Markup } from './markup.js';

const newline = html`
`;

/** A block of text. Line breaks stay; other invisible characters are made visible. */
export function preText(id: string, text: string): Markup {
  const lines = text.trimEnd().split('\n');
  return html`<pre id="${id}" tabindex="0">${lines.map((line, i) => html`${i > 0 && newline}${line}`)}</pre>`;
}
