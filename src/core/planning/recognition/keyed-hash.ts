// HalfSipHash-1-3 of words of 32 bits with a key of 64: nobody without the key can make two inputs with the same hash.
//
// Letters are read where they are. Joining the texts of an item, so that one call of the platform encodes them, took half as
// long again, most of it for the joined text, and left 800 bytes of garbage an item.
import { canCompile, compile } from '../../rows/compile-function.js';

/** Both halves of a fingerprint, 32 bits each with a sign; never both 0, which is a row that no item was applied to. */
export interface Fingerprint {
  high: number;
  low: number;
}

/** Hashes one input after the other: an object for each would be garbage. */
export interface KeyedHash {
  begin(key: Readonly<Fingerprint>): void;
  word(word: number): void;
  /**
   * Adds the letters of a text, then a word. Letters of one byte are packed four a word; where one takes more, all are packed
   * two a word, and `wide` is set in the word behind them.
   */
  text(text: string, word: number): void;
  /** @param into is filled */
  end(into: Fingerprint): void;
}

/** A bit that the word behind a text must leave 0. */
export const wide = 1 << 24;

/** Rounds after the last word, before either half is read. */
const lastRounds = 3;

/** The fast form where code may be made from strings. */
export function keyedHash(): KeyedHash {
  return canCompile() ? hashWith(compiledText) : plainKeyedHash();
}

/** The plain form, which the compiled one must equal. */
export function plainKeyedHash(): KeyedHash {
  return hashWith(plainText);
}

/** What is hashed so far, between two words. */
type State = Int32Array;
type AddText = KeyedHash['text'];

function hashWith(textAdder: (state: State) => AddText): KeyedHash {
  const state = new Int32Array(4);
  return {
    begin({ high, low }) {
      state[0] = low;
      state[1] = high ^ 0xee;
      state[2] = 0x6c796765 ^ low;
      state[3] = 0x74656462 ^ high;
    },
    word: (word) => addWord(state, word),
    text: textAdder(state),
    end(into) {
      state[2] = (state[2] as number) ^ 0xee;
      // A word of 0 leaves the bare round.
      for (let i = 0; i < lastRounds; i++) addWord(state, 0);
      into.high = (state[1] as number) ^ (state[3] as number);
      state[1] = (state[1] as number) ^ 0xdd;
      for (let i = 0; i < lastRounds; i++) addWord(state, 0);
      into.low = (state[1] as number) ^ (state[3] as number) || (into.high === 0 ? 1 : 0);
    },
  };
}

function addWord(state: State, word: number): void {
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = (state[3] as number) ^ word;
  a = (a + b) | 0;
  b = ((b << 5) | (b >>> 27)) ^ a;
  a = (a << 16) | (a >>> 16);
  c = (c + d) | 0;
  d = ((d << 8) | (d >>> 24)) ^ c;
  a = (a + d) | 0;
  d = ((d << 7) | (d >>> 25)) ^ a;
  c = (c + b) | 0;
  b = ((b << 13) | (b >>> 19)) ^ c;
  c = (c << 16) | (c >>> 16);
  state[0] = a ^ word;
  state[1] = b;
  state[2] = c;
  state[3] = d;
}

function plainText(state: State): AddText {
  return (text, word) => {
    const isWide = /[^\0-\xff]/.test(text);
    const [letters, bits] = isWide ? [2, 16] : [4, 8];
    for (let i = 0; i < text.length; i += letters) {
      let packed = 0;
      for (let j = 0; j < letters && i + j < text.length; j++) packed |= text.charCodeAt(i + j) << (j * bits);
      addWord(state, packed);
    }
    addWord(state, isWide ? word | wide : word);
  };
}

/** The round of `addWord` on variables, in which the state stays for a whole text. */
const round = `d ^= word; a = (a + b) | 0; b = ((b << 5) | (b >>> 27)) ^ a; a = (a << 16) | (a >>> 16);
  c = (c + d) | 0; d = ((d << 8) | (d >>> 24)) ^ c; a = (a + d) | 0; d = ((d << 7) | (d >>> 25)) ^ a;
  c = (c + b) | 0; b = ((b << 13) | (b >>> 19)) ^ c; c = (c << 16) | (c >>> 16); a ^= word;`;

function compiledText(state: State): AddText {
  const body = `return (text, end) => {
    const { length } = text;
    let a = state[0], b = state[1], c = state[2], d = state[3], word = 0, seen = 0, i = 0;
    if (length > 0 && text.charCodeAt(0) > 255) seen = 256;
    else {
      for (; i + 3 < length; i += 4) {
        const one = text.charCodeAt(i), two = text.charCodeAt(i + 1);
        const three = text.charCodeAt(i + 2), four = text.charCodeAt(i + 3);
        seen |= one | two | three | four;
        word = one | (two << 8) | (three << 16) | (four << 24);
        ${round}
      }
      if (i < length) {
        const one = text.charCodeAt(i);
        const two = i + 1 < length ? text.charCodeAt(i + 1) : 0;
        const three = i + 2 < length ? text.charCodeAt(i + 2) : 0;
        seen |= one | two | three;
        word = one | (two << 8) | (three << 16);
        ${round}
      }
    }
    if (seen > 255) {
      a = state[0]; b = state[1]; c = state[2]; d = state[3];
      for (i = 0; i + 1 < length; i += 2) {
        word = text.charCodeAt(i) | (text.charCodeAt(i + 1) << 16);
        ${round}
      }
      if (i < length) {
        word = text.charCodeAt(i);
        ${round}
      }
      end |= ${wide};
    }
    word = end;
    ${round}
    state[0] = a; state[1] = b; state[2] = c; state[3] = d;
  };`;
  return compile<(state: State) => AddText>(['state'], body)(state);
}
