// Node built with a small ICU: decoders of three encodings, and nothing else. Loaded before the program.
const known = new Set(['utf-8', 'utf8', 'utf-16le', 'latin1']);

globalThis.TextDecoder = class extends TextDecoder {
  constructor(label = 'utf-8', options = undefined) {
    if (!known.has(String(label).toLowerCase())) throw new RangeError(`The "${label}" encoding is not supported`);
    super(label, options);
  }
};
