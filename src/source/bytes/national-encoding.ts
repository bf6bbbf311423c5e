// The encoding of letters beyond ASCII. The home of jschardet, which compares letters with those of 34 languages: of 27 feeds
// mostly in ASCII it found every encoding, where a detector by byte classes alone (chardet) found 9.
import { findCodec } from './codecs.js';
import { detectedNames } from './detected-names.js';
import { breaksWords, fitsAlphabet, isTurkish, mixesScripts } from './encoding-signs.js';

/** An encoding that the letters of a file could be in. */
export interface EncodingChoice {
  readonly name: string;
  readonly sample: string;
}

/** What letters say of the encoding. */
export interface NationalGuess {
  readonly encoding: string;
  readonly why: string;
  readonly open?: readonly EncodingChoice[];
}

/** Bytes of windows-1252 that are signs in feeds of any language: € … ‘ ’ “ ” • – — ™ nbsp £ § © « ® ° ± ² ³ µ · » ¼ ½ ¾ ×. */
const signs = new Set([
  0x80,
  0x85,
  ...range(0x91, 0x97),
  0x99,
  0xa0,
  0xa3,
  0xa7,
  0xa9,
  0xab,
  0xae,
  ...range(0xb0, 0xb3),
  0xb5,
  0xb7,
  ...range(0xbb, 0xbe),
  0xd7,
]);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

/**
 * The encoding of the pieces of a file around its bytes beyond ASCII.
 * @param odd those of them that are no UTF-8
 * @param where the first such byte, in words
 */
export async function nationalEncoding(
  pieces: readonly Buffer[],
  odd: readonly Buffer[],
  where: string,
): Promise<NationalGuess> {
  const read = (bytes: Buffer, encoding: string) => findCodec(encoding)?.decoder()(bytes) ?? '';
  const sample = Buffer.concat(pieces.flatMap((piece) => [piece, Buffer.from('\n')]));
  const readings = (encoding: string) =>
    odd.slice(0, 3).map((piece) => read(piece, encoding).replace(/\s+/g, ' ').trim());
  const rows = (encoding: string) =>
    readings(encoding)
      .map((text) => JSON.stringify(text))
      .join(', ');
  const samplesIn = (encoding: string) =>
    [...new Set(readings(encoding).flatMap(unusualWords))].slice(0, 3).map((word) => JSON.stringify(word));
  const choices = (encodings: readonly string[]) =>
    encodings.map((name) => ({ name, sample: samplesIn(name).join(', ') }));
  if (odd.every((piece) => piece.every((byte) => byte < 0x80 || signs.has(byte)))) {
    const why = `${where} is not UTF-8; it has signs only and no letters to tell the encoding by: ${rows('windows-1252')}`;
    const isOpen = odd.some(hasFractionsInWords);
    return { encoding: 'windows-1252', why, ...(isOpen && { open: choices(['windows-1252', 'iso-8859-15']) }) };
  }
  if (odd.every(hasOnlyEuros)) {
    const why = `${where} is not UTF-8; it has no letters to tell the encoding by, and a sign apart from letters, which is the euro there: ${rows('iso-8859-15')}`;
    return { encoding: 'iso-8859-15', why };
  }
  const { detectAll } = await import('jschardet');
  const likely = detectAll(sample).flatMap(({ encoding, confidence }) => {
    const name = detectedNames[String(encoding).toLowerCase()];
    const isPossible = name !== undefined && findCodec(name) !== undefined && !mixesScripts(read(sample, name));
    return isPossible ? [{ name, confidence }] : [];
  });
  const whole = likely.filter(({ name }) => !breaksWords(read(sample, name)));
  // Where every candidate breaks words, windows-1252 is taken if it does not.
  const rest = breaksWords(read(sample, 'windows-1252')) ? likely : [];
  const found = oneLanguageFirst(whole.length > 0 ? whole : rest, (name) => read(sample, name));
  const [best] = found;
  if (best === undefined)
    return {
      encoding: 'windows-1252',
      why: `${where} is not UTF-8, and its letters speak for no encoding: look at the samples`,
    };
  // Of several that decode the sample alike, the Windows one is chosen: it has the characters that the others lack.
  const text = read(sample, best.name);
  const alike = found.filter(({ name }) => read(sample, name) === text);
  const western = alike.find((one) => one.name === 'windows-1252');
  const windows = (western ?? alike.find((one) => one.name.startsWith('windows-')))?.name ?? best.name;
  const name = isTurkish(windows, sample) ? 'windows-1254' : windows;
  const others = found.filter((one) => !alike.includes(one) && one.name !== name);
  const rivals = rivalsOf(best, others, (encoding) => read(sample, encoding));
  return {
    encoding: name,
    why: `${where} is not UTF-8; ${certainty(best, others[0])}: ${samplesIn(name).join(', ')}`,
    ...(rivals.length > 0 && { open: choices([name, ...rivals]) }),
  };
}

/** Whether a byte that is the euro in ISO-8859-15, and in old code pages a letter, is apart from letters, next to signs at most. */
function hasOnlyEuros(piece: Buffer): boolean {
  const text = piece.toString('latin1');
  return /^(?:[\0-\x7f\xa0\xa3\xa7\xa9\xab\xae\xb0-\xb3\xb5\xb7\xbb\xd7]|(?<![a-z])\xa4(?![a-z]))*$/i.test(text);
}

/** Whether a fraction is next to a letter: `½l` is as good as `œuf` of ISO-8859-15, which has letters in its place. */
function hasFractionsInWords(piece: Buffer): boolean {
  return /[\xbc-\xbe][a-z]|[a-z][\xbc-\xbe]/i.test(piece.toString('latin1'));
}

/** The words of a row that have characters beyond ASCII. */
function unusualWords(row: string): string[] {
  return row.split(/[\s;|"]+|,(?!\d)/).filter((word) => /[^\p{ASCII}]/u.test(word));
}

/** The letters beyond ASCII from which on how often they occur tells languages apart. */
const enoughLetters = 12;
const mostRivals = 2;

/**
 * The encodings that the letters do not speak against: nearly as likely, or in a short text half as likely, with letters of
 * one language as well. Those that read the text alike are one.
 */
function rivalsOf(best: Candidate, others: readonly Candidate[], read: (encoding: string) => string): string[] {
  const text = read(best.name);
  const isShort = (text.match(/(?![a-z])\p{L}/giu)?.length ?? 0) < enoughLetters;
  const margin = isShort ? 2 : nearly;
  const near = others.filter(({ name, confidence }) => {
    const reading = read(name);
    const isWritten = !/[\x80-\x9f]/.test(reading) && (fitsAlphabet(reading) || !fitsAlphabet(text));
    return isWritten && best.confidence < confidence * margin && reading !== text;
  });
  const readings = new Map(near.toReversed().map(({ name }) => [read(name), name]));
  return [...readings.values()].reverse().slice(0, mostRivals);
}

/** Puts the best candidate in which the letters are of one language before one in which they are of none. */
function oneLanguageFirst(found: readonly Candidate[], read: (encoding: string) => string): readonly Candidate[] {
  const [best] = found;
  if (best === undefined || /[^\p{sc=Latn}\P{L}]/u.test(read(best.name)) || fitsAlphabet(read(best.name))) return found;
  const fitting = found.find(({ name, confidence }) => confidence * 2 >= best.confidence && fitsAlphabet(read(name)));
  return fitting === undefined ? found : [fitting, ...found.filter((one) => one !== fitting)];
}

interface Candidate {
  readonly name: string;
  readonly confidence: number;
}

/** How many times as likely one encoding must be as another, so that the letters of a long text decide. */
const nearly = 1.2;

/** The margin between the best encoding and the next one that decodes the text differently. */
function certainty(best: Candidate, rival: Candidate | undefined): string {
  if (rival === undefined || rival.confidence <= 0) return 'its letters fit no other encoding';
  const ahead = Math.round((best.confidence / rival.confidence - 1) * 100);
  if (ahead >= 100) return `its letters fit ${Math.round(ahead / 100) + 1} times as well as in ${rival.name}`;
  if (ahead >= (nearly - 1) * 100) return `its letters fit ${ahead} % better than in ${rival.name}`;
  return `${rival.name} is nearly as likely; check the letters`;
}
