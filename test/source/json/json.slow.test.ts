import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ndjsonCutter } from '../../../src/source/json/ndjson-cutter.js';
import { longestRecord } from '../../../src/source/json/record-text.js';
import { openSource } from '../../../src/source/open-source.js';
import { corpus } from '../../corpora.js';
import { repetitions } from '../../tier.js';
import { fileOf, product, readAll } from '../given.js';
import { cutRecords } from './given.js';

const readJson = (content: string | Uint8Array, name = 'f.json') => readAll(fileOf(content, name));

/** The records of a document, parsed, with their lines. */
const cut = (text: string, size?: number) => cutRecords(text, [], size);

function failureOf(read: () => unknown): string {
  try {
    return `nothing fails: ${JSON.stringify(read())}`;
  } catch (cause) {
    return (cause as Error).message;
  }
}

describe('an array', () => {
  it('yields what JSON.parse returns, in chunks of any size, alone and as {"items": […]}', () => {
    const space = fc.constantFrom(undefined, 1, '\t', '\n');
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        space,
        fc.integer({ min: 1, max: 30 }),
        (list, indent, size) => {
          // JSON has no -0 that survives.
          const expected = JSON.parse(JSON.stringify(list));
          expect(cut(JSON.stringify(list, null, indent), size).values).toEqual(expected);
          const envelope = { dry_run: false, 'a"b': ['}'], items: list, total: list.length };
          expect(cutRecords(JSON.stringify(envelope, null, indent), ['items'], size).values).toEqual(expected);
        },
      ),
      { numRuns: repetitions('JSON_TEXTS', { fast: 40, moderate: 75, full: 5000 }) },
    );
  });

  it('with one wrong character is refused at the same position, in chunks of any size', () => {
    const array = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 4 });
    const character = fc.constantFrom('', ...'{}[],:"\\ 0-.etn\n\u0000');
    fc.assert(
      fc.property(array, fc.nat(), character, fc.integer({ min: 1, max: 30 }), (list, at, put, size) => {
        const whole = JSON.stringify(list, null, 1);
        const index = 1 + (at % (whole.length - 1));
        const text = whole.slice(0, index) + put + whole.slice(index + 1);
        let expected: unknown;
        try {
          expected = JSON.parse(text);
        } catch {
          expect(() => cut(text, size)).toThrow(/^f\.json: line \d+, column \d+: (this|the file|the JSON|here)/);
          // Read character by character, the invalid character may not be read yet when the error is raised.
          const place = (message: string) => message.replace(/: "[^"]*" is not expected here/, '');
          expect(place(failureOf(() => cut(text, size)))).toBe(place(failureOf(() => cut(text))));
          return;
        }
        expect(cut(text, size).values).toEqual(expected);
      }),
      { numRuns: repetitions('JSON_TEXTS', { fast: 40, moderate: 75, full: 5000 }) },
    );
  });

  it('reports the line on which each record begins', () => {
    expect(cut('[\n{"a":\n1}, {"b":2},\n\n 3,"x"\n,\n[\n]]').lines).toEqual([2, 3, 5, 5, 7]);
    expect(cutRecords('{\n"items": [\n{"a":1},\n{"b":2}]}', ['items'], 3).lines).toEqual([3, 4]);
  });

  it.each([
    ['[{"sku":"A"},\n  {"sku":"B" "x":1}]', 'line 2, column 14'],
    ['[{"sku":"A"},\n{"sku":"B"\n,"x":01}]', 'line 3, column 7'],
    ['[{"sku":"A"},{"sku":"B","name":"x\ny"},{"sku":"C"}]', 'line 1, column 34'],
    ['[{"sku":"A"},{"sku":"B","name":"\\q"}]', 'line 1, column 33'],
    ['[{"sku":"A"},\n tru]', 'line 2, column 2'],
    ['[{"sku":"A"},{"sku":"B","stock":1e}]', 'line 1, column 35'],
    ['[{"sku":"A"},]', 'line 1, column 14'],
    ['[{"sku":"A"}\n{"sku":"B"}]', 'line 2, column 1'],
    ['[{"sku":"A"}][{"sku":"B"}]', 'line 1, column 14'],
    ['[{"sku":"A"}]\nmore', 'line 2, column 1'],
    ['[{"sku":"A"},\n{"sku":', 'line 2, column 1'],
    ['[{"sku":"A"}', 'line 1, column 13'],
    ['{"items":[{"sku":"A"}]', 'the file ends before'],
    ['{"items":[{"sku":"A"}],"x":}', 'line 1, column 28'],
    ['{"items":[{"sku":"A"}],"items":[]}', 'a second "items"'],
  ])('that is invalid is reported with its position, after the records before it: %j', async (content, place) => {
    const { items, failure } = await readJson(content);
    expect(items).toEqual([{ sku: 'A' }]);
    expect(failure).toContain(place);
  });

  it('of 100,000 nested arrays, closed or not, is refused quickly', async () => {
    const deep = '['.repeat(100_000);
    expect(await readJson(`[{"sku":"A"},${deep}`)).toMatchObject({
      items: [{ sku: 'A' }],
      failure: expect.stringContaining('ends before'),
    });
    const closed = deep + ']'.repeat(100_000);
    expect((await readJson(`[{"sku":"A"},${closed}]`)).items).toEqual([{ sku: 'A' }, []]);
    const { problems } = await readJson(
      `[{"sku":"A","name":${closed}},{"sku":"B","media":[${closed}]},{"sku":"C","media":{"a":${closed}}}]`,
    );
    expect(problems).toMatchObject([
      { code: 'field_type', field: 'name', externalId: 'A' },
      { code: 'field_type', field: 'media', externalId: 'B' },
      { code: 'field_type', field: 'media', externalId: 'C' },
    ]);
  });

  it.each([
    ['array', (list: string) => `[{"sku":"A"},{"x":${list}}]`],
    ['NDJSON', (list: string) => `{"sku":"A"}\n{"x":${list}}\n`],
    ['record', (list: string) => `{"x":${list}}`],
  ] as const)('of two million brackets in one record of an %s is given up', async (kind, document) => {
    const list = `[${'[[[[]]]],'.repeat(250_000)}[]]`;
    const file = fileOf(document(list), kind === 'NDJSON' ? 'f.ndjson' : 'f.json');
    const { failure } = await readAll(file);
    expect(failure).toMatch(/the record that begins on line \d has more than 250000 lists and objects/);
  });

  it('may have any amount of white space between its records, in chunks of any size', () => {
    const gap = ' \n'.repeat(longestRecord);
    expect(cut(`${gap}[${gap}1${gap},${gap}{"a":2}${gap}]${gap}`, 65_536)).toEqual({
      values: [1, { a: 2 }],
      lines: [2 * longestRecord + 1, 4 * longestRecord + 1],
    });
  });

  it('with an unclosed text is reported at the error, not at the limit', async () => {
    const { items, failure } = await readJson(
      `[{"sku":"A"},\n{"sku":"B","name":"open},\n${'{"sku":"C"},\n'.repeat(longestRecord / 10)}]`,
    );
    expect(items).toEqual([{ sku: 'A' }]);
    expect(failure).toContain('line 2, column 26: this is not valid JSON');
  });

  it('names the unexpected text at its position', async () => {
    expect((await readJson('[{"sku":"A"},\n]')).failure).toMatch(/line 2, column 1: .*: "]" is not expected here/);
    expect((await readJson('[\n // one\n{"sku":"A"}]')).failure).toMatch(
      /line 2, column 2: .* no comments: "\/" is not/,
    );
  });

  it('with a record that does not end is refused at the record limit', async () => {
    const { items, failure } = await readJson(`[{"sku":"A"},{"name":"${'x'.repeat(longestRecord + 10)}"}]`);
    expect(items.length).toBe(1);
    expect(failure).toMatch(/line 1 does not end within 4194304 characters/);
  });
});

describe('a record', () => {
  it('cannot reach a prototype, whatever its members are called', async () => {
    const evil =
      '{"sku":"A","__proto__":{"evil":1},"constructor":{"prototype":{"evil":1}},"media":[{"__proto__":{"evil":1},"file":"f"}]}';
    const { items, unknown } = await readJson(`[${evil}]`);
    expect(items).toEqual([{ sku: 'A', media: [{ file: 'f' }] }]);
    expect(({} as Record<string, unknown>)['evil']).toBeUndefined();
    expect(Object.getPrototypeOf(items[0])).toBe(Object.prototype);
    expect(unknown).toMatchObject({ constructor: 1, 'media[].__proto__': 1 });
  });

  it('of a hundred thousand members is read, and their names are not all kept', async () => {
    const members = Array.from({ length: 100_000 }, (_, i) => `"k${i}":1`).join();
    const { items, unknown } = await readJson(`[{"sku":"A",${members}}]`);
    expect(items).toEqual([{ sku: 'A' }]);
    expect(Object.keys(unknown)).toHaveLength(1000);
  });

  it('keeps the literal of a number that a double cannot represent', async () => {
    const { items } = await readJson(
      '[{"sku":"A","price":1e400,"ean":12345678901234567890,"stock":-1e999,"name":"1e400"}]',
    );
    expect(items).toEqual([{ sku: 'A', price: '1e400', ean: '12345678901234567890', stock: '-1e999', name: '1e400' }]);
  });

  it('that is not an object passes as it is', async () => {
    expect((await readJson('[1,"x",null,[{"sku":"A"}],true]')).items).toEqual([1, 'x', null, [], true]);
  });

  it('is refused alone where its bytes are not text', async () => {
    const bytes = Buffer.concat([
      Buffer.from('[{"sku":"A"},\n{"sku":"B","name":\n"'),
      Buffer.from([0x80]),
      Buffer.from('"},{"sku":"C"}]'),
    ]);
    const { items, problems } = await readJson(bytes);
    expect(items).toEqual([{ sku: 'A' }, '!invalid_text', { sku: 'C' }]);
    expect(problems[0]).toMatchObject({
      externalId: 'B',
      message: expect.stringMatching(/byte 0x80 on line 3 .*--encoding/),
    });
  });
});

describe('NDJSON', () => {
  it('continues after an invalid line, which is refused', async () => {
    const { items, lines, problems } = await readJson('{"sku":"A"}\r\n\n{"sku":"B",}\n[1]\n{"sku":"C"}', 'f.ndjson');
    expect(items).toEqual([{ sku: 'A' }, '!item_not_json', [], { sku: 'C' }]);
    expect(lines).toEqual([1, 3, 4, 5]);
    expect(problems[0]?.message).toBe('not valid JSON at column 12; write each record on a line of its own');
  });

  it('stops at a line that exceeds the record limit', async () => {
    const { items, failure } = await readJson(`{"sku":"A"}\n{"name":"${'x'.repeat(longestRecord + 10)}`, 'f.ndjson');
    expect(items).toEqual([{ sku: 'A' }]);
    expect(failure).toMatch(/line 2 does not end/);
  });
});

describe('JSONTestSuite', () => {
  const folder = corpus('json-test-suite/test_parsing') ?? '';
  const files = folder === '' ? [] : readdirSync(folder);
  if (files.length === 0) it('is not on this machine: nothing compared', () => expect(files).toEqual([]));
  // An empty file is not items here, not an error; a lone value is one record.
  const empty = new Set(['n_structure_no_data.json', 'n_single_space.json', 'n_structure_UTF8_BOM_no_data.json']);

  /** Valid JSON, but a record of which nobody knows which of its values counts. */
  const isAmbiguous = (file: string) => file.startsWith('y_object_duplicated_key');

  it.runIf(files.length > 0)('valid files are read correctly, invalid ones are refused, and none crashes', async () => {
    for (const file of files) {
      const bytes = readFileSync(join(folder, file));
      const unopened = ({ message }: Error) => ({ items: [], problems: [], failure: message });
      const { items, problems, failure } = await readJson(bytes, file).catch(unopened);
      const refused = failure !== undefined || problems.length > 0;
      if (file.startsWith('y_')) expect([file, refused]).toEqual([file, isAmbiguous(file)]);
      if (file.startsWith('n_') && !empty.has(file)) expect([file, refused]).toEqual([file, true]);
      if (file.startsWith('y_structure_lonely')) expect(items).toHaveLength(1);
    }
  });

  it.runIf(files.length > 0)(
    'a line is handed over as broken, with a place in it, where JSON.parse refuses it, and nowhere else',
    () => {
      for (const file of files) {
        const text = readFileSync(join(folder, file), 'utf8');
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (text.includes('\n') || text.trim() === '') continue;
        const faults: (number | undefined)[] = [];
        ndjsonCutter('f').cut(text, true, (_raw, _line, _record, fault) => faults.push(fault));
        expect([file, faults[0] === undefined]).toEqual([file, valid]);
        expect(faults[0] ?? 0).toBeLessThanOrEqual(text.length);
      }
    },
  );
});

describe('members beside "items"', () => {
  it.each([
    ['{"dry_run":true,"items":[{"sku":"A"}],"a\\u0007":{"sku":"x"},"dry_run":1}', ['"dry_run"', '"a\\u0007"']],
    ['{"items":[{"sku":"A","dry_run":true}]}', []],
    ['{"sku":"A","items":[1]}', []],
    ['[{"sku":"A","x":1}]', []],
  ])('is named, since it is not imported: %s', async (content, names) => {
    const source = await openSource(product, 'sku', { file: fileOf(content, 'f.json') });
    for await (const { entries } of source.chunks) expect(entries).toEqual([{ kind: 'raw', item: { sku: 'A' } }]);
    expect(source.notes().map(({ words }) => words)).toEqual(
      names.length === 0 ? [] : [`skipped, since only "items" is imported: ${names.join(', ')}`],
    );
    await source.close();
  });
});
