// Texts that a change leaves damaged, as an export does that reads or writes them in a wrong encoding, spells out missing values, or
// names two columns the wrong way round. Each is recognized by what the text was before: a text that is new is never suspected.
import type { FieldChange } from '../../core/import-report.js';
import { placeholders } from '../../core/text/placeholders.js';

/** Characters of a text that are compared: enough to tell, and few for a text of a megabyte. */
const compared = 100;

/** The characters of windows-1252 for the bytes 80 to 9f; for those that it lacks, the ones of latin-1. */
const upper = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The change of a row that damages a text, if there is one. */
export function damagedText(changes: readonly FieldChange[]): FieldChange | undefined {
  // Columns are exchanged, not entries of lists, of which a row may have a thousand.
  const columns = changes.filter(({ field }) => !field.includes('['));
  return changes.find(isDamage) ?? columns.find((change) => columns.some((other) => areExchanged(change, other)));
}

function isDamage({ from, to }: FieldChange): boolean {
  if (typeof from !== 'string' || typeof to !== 'string' || from === '' || to === '') return false;
  if (placeholders.test(to.trim())) return !placeholders.test(from.trim());
  if (/^\d{8,}$/.test(from) && /^\d(?:[.,]\d+)?e\+?\d+$/i.test(to)) return true;
  const [before, after] = [from.slice(0, compared), to.slice(0, 4 * compared)];
  if (isEscaped(before, after)) return true;
  // A text that is mended has fewer characters that are not of ASCII, too.
  return !isPlain(before) && (isMisread(before, after) || lacksLetters(from, to)) && !isMisread(after, before);
}

function isPlain(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}

/** UTF-8 that was read as windows-1252 or latin-1: `Größe` as `GrÃ¶ÃŸe`. */
function isMisread(before: string, after: string): boolean {
  // Most texts differ in the first character that is not of ASCII already: it would be the first byte of its code.
  const at = before.search(/[^\0-\x7f]/);
  const code = at === -1 ? 0 : (before.codePointAt(at) ?? 0);
  const first = code < 0x800 ? 0xc0 | (code >> 6) : code < 0x10_000 ? 0xe0 | (code >> 12) : 0xf0 | (code >> 18);
  if (at === -1 || after.charCodeAt(at) !== first) return false;
  const bytes = Buffer.from(before);
  const latin = bytes.toString('latin1');
  const windows = latin.replace(/[\x80-\x9f]/g, (char) => upper[char.charCodeAt(0) - 0x80] ?? char);
  return after.startsWith(latin) || after.startsWith(windows);
}

/** Letters that are not of ASCII became `?`, `�` or nothing: `Größe` as `Gr??e`. */
function lacksLetters(from: string, to: string): boolean {
  const [before, after] = [from.slice(0, compared), to.slice(0, compared)];
  const letters = (text: string): number => text.match(/(?![\0-\x7f])\p{L}/gu)?.length ?? 0;
  if (letters(after) >= letters(before)) return false;
  const [left, right] = [before, after].map((text) => text.replace(/[^\0-\x7f]|\?/g, '')) as [string, string];
  if (from.length <= compared) return left === right;
  return right !== '' && (left.startsWith(right) || right.startsWith(left));
}

/** Characters became entities of HTML: `Größe` as `Gr&ouml;&szlig;e`. */
function isEscaped(before: string, after: string): boolean {
  const entities = /&(?:[a-z]+\d*|#\d+|#x[\da-f]+);/gi;
  if (!entities.test(after) || before.search(entities) !== -1) return false;
  const others = /[^\0-\x7f]|[<>&"']/g;
  const [plain, left] = [before.replace(others, ''), after.replace(entities, '').replace(others, '')];
  return plain !== '' && left.startsWith(plain);
}

/** Whether two texts of a row took each other's place. */
function areExchanged(one: FieldChange, other: FieldChange): boolean {
  return (
    one.field !== other.field &&
    [one.from, one.to].every((value) => typeof value === 'string' && value !== '') &&
    one.from === other.to &&
    one.to === other.from
  );
}
