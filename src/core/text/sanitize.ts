// Text of suppliers on its way to a terminal or a spreadsheet: what could steer either of them is taken out here,
// where it is shown, and never in what is stored.

/** C0, DEL, C1 (0x9b opens an escape sequence by itself), and the marks that turn the direction of reading. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const steering = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Those of them that JSON leaves as they are. */
const leftByJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text on one line, without anything a terminal would obey. */
export function sanitizeText(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(steering, '');
}

/** The same for a message of several lines, whose line breaks are ours. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitizeText).join('\n');
}

/** JSON text that means the same and holds nothing a terminal would obey. */
export function sanitizeJson(json: string): string {
  return json.replace(leftByJson, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text cut to at most `most` characters, the last one telling so. */
export function ellipsize(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** A whole number with its thousands apart: 12,400. By hand, as the system's tables of languages take 10 ms to load. */
export function groupDigits(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
