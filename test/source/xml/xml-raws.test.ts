// The text of XML records, for who writes refused ones back: exact, in blocks of any size.
import { describe, expect, it } from 'vitest';
import { recordKey } from '../../../src/core/fields/record-key.js';
import type { OpenChunk, ReaderContext } from '../../../src/source/record-reader.js';
import { xmlRecords } from '../../../src/source/xml/xml-records.js';
import { product } from '../given.js';

const records = [
  '<p><sku>A</sku></p>',
  '<p a="1"/>',
  '<p>\r\n<name><![CDATA[<p>]]></name><!-- </p> --></p>',
  '<p b="&lt;p"><x><y>ä€😀</y></x></p>',
];
const text = `<?xml version="1.0"?>\n<!-- <p> --><a n="x&amp;&quot;y"><b>${records.join(' text \n')}</b></a>\n`;

describe('the text of a record', () => {
  it.each([1, 2, 3, 7, 64, 1000])('equals the text in the file, in blocks of %i', (size) => {
    const reading: ReaderContext = {
      file: 'f.xml',
      key: recordKey(product, 'sku'),
      given: { rename: new Map(), set: new Map() },
      writing: { decimal: '.', isNamed: false, empty: 'skip' },
      decoder: { encoding: 'utf-8', decode: () => ({ text: '', damaged: false }), damageIn: () => undefined },
      damaged: () => false,
      recordPath: { name: 'p', isNamed: true },
    };
    const reader = xmlRecords(reading);
    const chunk: OpenChunk = { entries: [], lines: [], raws: [] };
    for (let at = 0; at < text.length; at += size) reader.read(text.slice(at, at + size), false, chunk);
    reader.read('', true, chunk);
    expect(chunk.raws).toEqual(records);
    expect(chunk.lines).toEqual([2, 3, 4, 6]);
    expect(reader.header?.()).toBe('<a n="x&amp;&quot;y"><b>');
  });
});
