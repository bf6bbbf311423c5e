// Sanitizes text of suppliers for terminals and spreadsheets: characters that could control either are removed where
// text is shown, and never from what is stored.
/** C0, DEL, C1 (0x9b opens an escape sequence by itself), and the marks that turn the direction of reading. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
const steering = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** Those of them that JSON does not escape. */
const leftByJson = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A text on one line, without anything that controls a terminal. */
export function sanitizeText(text: string): string {
  return text.replace(/[\r\n\t]+/g, ' ').replace(steering, '');
}

/** The same for a message of several lines, which keeps its line breaks. */
export function sanitizeLines(text: string): string {
  return text.split('\n').map(sanitizeText).join('\n');
}

/** JSON text with the same meaning, without anything that controls a terminal. */
export function sanitizeJson(json: string): string {
  return json.replace(leftByJson, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** A text cut to at most `most` characters; the last one is then an ellipsis. */
export function ellipsize(text: string, most: number): string {
  if (text.length <= most) return text;
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}

/** A whole number with separated thousands: 12,400. By hand, since loading the system's locale data takes 10 ms. */
export function groupDigits(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** The same of a decimal with a fraction: 12,400.50. */
export function groupDecimal(value: string): string {
  return value.replace(/\B(?=(\d{3})+\.)/g, ',');
}

export function shownFile(file: string): string {
  return file === '-' ? 'standard input' : sanitizeText(file);
}
