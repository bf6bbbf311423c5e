import fc from 'fast-check';
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { openDecoder } from '../../../src/source/bytes/decoder.js';
import { anyCharacter } from '../../any-character.js';
import { fileOf, readAll } from '../given.js';

/** Decodes bytes given in pieces of `size`. */
async function decode(bytes: Buffer, size = bytes.length + 1, encoding?: string) {
  const decoder = await openDecoder(bytes, encoding);
  let text = '';
  let damaged = false;
  for (let at = 0; at <= bytes.length; at += size) {
    const part = decoder.decode(at < bytes.length ? bytes.subarray(at, at + size) : undefined);
    text += part.text;
    damaged ||= part.damaged;
  }
  const rest = decoder.decode(undefined);
  return { text: text + rest.text, damaged: damaged || rest.damaged, damage: decoder.damageIn(text + rest.text) };
}

describe('UTF-8', () => {
  it('round-trips in chunks of any size', async () => {
    const texts = fc.string({ unit: anyCharacter, maxLength: 30 }).filter((text) => !text.startsWith('\ufeff'));
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 7 }), async (text, size) => {
        expect(await decode(Buffer.from(text), size)).toMatchObject({ text, damaged: false });
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every invalid byte, and the text around it', async () => {
    const parts = fc.array(
      fc.oneof(
        fc.constantFrom('a', 'é', '€', '😀').map((c) => Buffer.from(c)),
        fc.uint8Array({ maxLength: 3 }),
      ),
    );
    await fc.assert(
      fc.asyncProperty(parts, fc.integer({ min: 1, max: 5 }), async (list, size) => {
        const bytes = Buffer.concat([Buffer.from('x'), ...list]);
        const { text } = await decode(bytes, size);
        // Replacing each mark by its bytes restores the file.
        const back = text.split(/(?<![\ud800-\udbff])([\udc80-\udcff])/).map((part, i) => {
          return i % 2 === 1 ? Buffer.from([part.charCodeAt(0) - 0xdc00]) : Buffer.from(part);
        });
        expect(Buffer.concat(back)).toEqual(bytes);
      }),
      { numRuns: 500 },
    );
  });

  it('names the first bad byte and the line breaks before it', async () => {
    const bytes = Buffer.concat([Buffer.from('a\r\n"\n😀'), Buffer.from([0xe9, 0x80])]);
    expect((await decode(bytes)).damage).toEqual({ byte: '0xE9', linesBefore: 2 });
    expect((await decode(Buffer.from('fine \ufffd 😀'))).damage).toBeUndefined();
  });
});

describe('other encodings', () => {
  it.each(['utf-16le', 'utf-16be', 'utf-8'])('%s is known by its byte order mark', async (encoding) => {
    const bytes = iconv.encode('sku,name\nA,Größe €\n', encoding, { addBOM: true });
    for (const size of [1, 3, 100]) {
      expect(await decode(bytes, size)).toMatchObject({ text: 'sku,name\nA,Größe €\n', damaged: false });
    }
  });

  it.each(['utf-16le', 'utf-16be'])(
    '%s that was cut within a character refuses the record that lost it',
    async (encoding) => {
      const bytes = iconv.encode('sku,name\nA,Größe\nB,Größe', encoding, { addBOM: true });
      const { items } = await readAll(fileOf(bytes.subarray(0, -1)));
      expect(items).toEqual([{ sku: 'A', name: 'Größe' }, '!invalid_text']);
    },
  );

  it('windows-1252 has its euro sign', async () => {
    expect((await decode(Buffer.from([0x80, 0xe4, 0x96]), 1, 'windows-1252')).text).toBe('€ä–');
  });

  it('that is unknown is reported with some that are known', async () => {
    await expect(openDecoder(Buffer.alloc(0), 'klingon')).rejects.toThrow(/"klingon" is not known: try .*windows-1252/);
  });

  it('refuse an undefined byte, and only the record that holds it', async () => {
    const bytes = Buffer.concat([Buffer.from('sku,name\nA,x\nB,'), Buffer.from([0x81]), Buffer.from('\nC,z\n')]);
    const { items, problems } = await readAll(fileOf(bytes), { encoding: 'windows-1252' });
    expect(items).toEqual([{ sku: 'A', name: 'x' }, '!invalid_text', { sku: 'C', name: 'z' }]);
    expect(problems[0]?.message).toBe(
      'a byte on line 3 is not windows-1252; name the encoding of the file with --encoding',
    );
  });
});

describe('bytes that are not UTF-8', () => {
  it('refuse their record, naming the byte, the line and --encoding; the records around it are imported', async () => {
    const bytes = Buffer.concat([
      Buffer.from('sku,name\nA,x\nB,"y\n'),
      Buffer.from([0x80]),
      Buffer.from('"\nC,\ufffdz\n'),
    ]);
    const { items, lines, problems } = await readAll(fileOf(bytes));
    expect(items).toEqual([{ sku: 'A', name: 'x' }, '!invalid_text', { sku: 'C', name: '\ufffdz' }]);
    expect(lines).toEqual([2, 3, 5]);
    expect(problems[0]).toMatchObject({
      externalId: 'B',
      message:
        'byte 0x80 on line 4 is not utf-8; name the encoding of the file, such as --encoding windows-1252 (inspect finds it)',
    });
  });

  it('in the header are reported at once', async () => {
    const bytes = Buffer.concat([Buffer.from('sku;Gr'), Buffer.from([0xf6]), Buffer.from('sse\nA;1\n')]);
    await expect(readAll(fileOf(bytes))).rejects.toThrow(
      /header holds byte 0xF6 that is not valid utf-8.*--encoding windows-1252/,
    );
    const utf16 = iconv.encode('sku,name\nA,x\n', 'utf-16le', { addBOM: false });
    await expect(readAll(fileOf(utf16))).rejects.toThrow(/NUL characters.*--encoding utf-16le/);
    expect((await readAll(fileOf(utf16), { encoding: 'utf-16le' })).items).toEqual([{ sku: 'A', name: 'x' }]);
    for (const encoding of ['utf-16be', 'utf-32le', 'utf-32be'])
      await expect(readAll(fileOf(iconv.encode('sku,name\nA,x\n', encoding, { addBOM: false })))).rejects.toThrow(
        `--encoding ${encoding}`,
      );
    const documents = { 'f.json': '[{"sku":"é"}]', 'f.ndjson': '{"sku":"é"}\n', 'f.xml': '<a><i><sku>é</sku></i></a>' };
    for (const [name, text] of Object.entries(documents))
      for (const encoding of ['utf-16le', 'utf-16be', 'utf-32le', 'utf-32be'])
        await expect(readAll(fileOf(iconv.encode(text, encoding, { addBOM: false }), name))).rejects.toThrow(
          `NUL characters. Name the encoding of the file, such as --encoding ${encoding}`,
        );
    const damaged = '{"sku":"A"}\n{"sku":"B\0"}\n{"sku":"C"}\n';
    expect((await readAll(fileOf(damaged, 'f.ndjson'))).items).toEqual([
      { sku: 'A' },
      expect.stringMatching(/^!/),
      { sku: 'C' },
    ]);
    // With umlauts it is not UTF-8 either, and UTF-16 all the same.
    const wide = iconv.encode('sku,größe\nA,x\n', 'utf-16le', { addBOM: false });
    await expect(readAll(fileOf(wide))).rejects.toThrow(/NUL characters.*--encoding utf-16le/);
    const binary = Buffer.from('SQL format 3\0\x10\0\x01\x01\0@\x20\n\0\n');
    await expect(readAll(fileOf(binary))).rejects.toThrow(/It is not text: use a CSV, JSON or XLSX file/);
  });
});
