// Encodings other than UTF-8: bytes → text and back, by name. The home of iconv-lite; encodings it lacks or has in an
// outdated form (€ of the Macintosh) are corrected here.

import iconv from 'iconv-lite';
import { CatalogError } from '../../core/errors.js';
import { hzDecoder, sevenBitBytes } from './seven-bit-encodings.js';

export interface Codec {
  /** Starts decoding: takes blocks; undefined ends the text. Invalid bytes become U+FFFD. */
  decoder(): (block: Buffer | undefined) => string;
  /** Encodes a text; `first` starts the file, with a byte order mark if the encoding has one. */
  encode(text: string, first: boolean): Buffer;
}

/** Web and MIME names that iconv-lite does not know. */
const aliases: Readonly<Record<string, string>> = {
  xmaccyrillic: 'maccyrillic',
  xmacroman: 'macintosh',
  xmacce: 'maccenteuro',
  hzgb2312: 'hz',
  csiso2022jp: 'iso2022jp',
};

/** The encoding of a name in any spelling; undefined if it is unknown. */
export function findCodec(name: string): Codec | undefined {
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const known = Object.hasOwn(aliases, plain) ? (aliases[plain] ?? plain) : plain;
  if (known === 'iso2022jp') return { decoder: japanese, encode: (text) => sevenBitBytes(text, 'iso-2022-jp') };
  if (known === 'hz') return { decoder: hzDecoder, encode: (text) => sevenBitBytes(text, 'hz') };
  if (!iconv.encodingExists(known)) return undefined;
  return known.startsWith('mac') ? macintosh(known) : byIconv(known);
}

function byIconv(name: string): Codec {
  const unicode = /^(utf|ucs)/.test(name);
  return {
    decoder() {
      const decoder = iconv.getDecoder(name);
      return (block) => (block === undefined ? decoder.end() : decoder.write(block)) ?? '';
    },
    encode: (text, first) => iconv.encode(text, name, { addBOM: first && unicode }),
  };
}

/** Since 1998 the byte of ¤ is the euro; the tables are older. */
function macintosh(name: string): Codec {
  const { decoder, encode } = byIconv(name);
  return {
    decoder() {
      const decode = decoder();
      return (block) => decode(block).replaceAll('¤', '€');
    },
    encode: (text, first) => encode(text.replaceAll('€', '¤'), first),
  };
}

/** ISO-2022-JP, which switches between character sets: decoded by Node. */
function japanese(): (block: Buffer | undefined) => string {
  const decoder = japaneseDecoder();
  return (block) => (block === undefined ? decoder.decode() : decoder.decode(block, { stream: true }));
}

function japaneseDecoder(): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder('iso-2022-jp');
  } catch (cause) {
    throw new CatalogError(
      'input_unreadable',
      'This Node was built without ISO-2022-JP (small ICU). Use another Node, or convert the file, such as with: iconv -f iso-2022-jp -t utf-8',
      { cause },
    );
  }
}
