import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import type { Action, Line } from '../../src/core/import-report.js';
import { noCounts, reportOf } from '../../src/core/report-counts.js';
import { ellipsize, sanitizeJson, sanitizeText } from '../../src/core/text/sanitize.js';
import { type ImportedFile, type ImportObserver, inOrder } from '../../src/importing/observer.js';
import { cell } from '../../src/reporting/formats/csv-cell.js';
import { csvReport } from '../../src/reporting/formats/csv-report.js';
import { jsonReport, ndjsonReport } from '../../src/reporting/formats/json-report.js';
import { tableReport } from '../../src/reporting/formats/table-report.js';
import { describeProgress } from '../../src/reporting/progress.js';
import { anyCharacter } from '../any-character.js';
import { resourceCalled } from '../given.js';

const text = fc.string({ unit: anyCharacter });
const lines = fc.array(
  fc.record({
    external_id: text,
    action: fc.constantFrom<Action>('created', 'updated', 'unchanged', 'refused'),
    reason: text,
    notice: fc.array(fc.record({ code: fc.constant('price_ignored'), field: text, message: text }), { maxLength: 2 }),
  }),
  { maxLength: 8 },
);

type Given = { external_id: string; action: Action; reason: string; notice: Line['notice'] };

function line(given: Given, index: number): Line {
  const refused = given.action === 'refused';
  return {
    index,
    external_id: given.external_id,
    action: given.action,
    id: index % 2 === 0 ? null : `prod_${index}`,
    code: refused ? 'field_format' : null,
    title: refused ? 'Wrong format' : null,
    reason: refused ? given.reason : null,
    notice: given.notice,
  };
}

const file: ImportedFile = {
  resource: resourceCalled('products'),
  file: 'feed.csv',
  dryRun: false,
  source: {
    found: { format: 'csv', encoding: 'utf-8', delimiter: ',', compression: undefined },
    progress: () => ({ read: 0, size: undefined }),
    unknown: () => new Map(),
    columns: () => [],
    leftOut: () => 0,
    notes: () => [],
    warnings: () => [],
  },
  catalog: { read: async () => undefined },
};

/** What a form writes of batches. */
async function told(form: (write: (text: string) => void) => ImportObserver, batches: readonly (readonly Given[])[]) {
  let written = '';
  const reporter = inOrder([
    form((text) => {
      written += text;
    }),
  ]);
  await reporter.begin(file);
  let offset = 0;
  const counts = noCounts();
  for (const batch of batches) {
    const report = reportOf('product', false, batch.map(line));
    await reporter.batch({ report, offset, lines: batch.map((_, i) => 2 + offset + i) });
    offset += batch.length;
    for (const name of Object.keys(counts) as (keyof typeof counts)[]) counts[name] += report[name];
  }
  await reporter.finish({ counts, seconds: 1 });
  await reporter.end({ counts, seconds: 1 });
  return { written, counts };
}

describe('JSON forms', () => {
  it('hold each line as it was, with its index over the whole file and its physical line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { maxLength: 4 }), async (batches) => {
        const expected = batches
          .flatMap((batch) => batch.map(line))
          .map((one, index) => ({
            ...one,
            index,
            line: index + 2,
            ...(one.code !== null && { problems: expect.anything() }),
          }));
        const json = await told((write) => jsonReport({ write, selection: 'all', many: false }), batches);
        expect(JSON.parse(json.written).response).toEqual({
          object: 'list',
          resource: 'product',
          dry_run: false,
          data: expected,
          ...json.counts,
          codes: json.counts.refused === 0 ? {} : { field_format: json.counts.refused },
          notices: expect.anything(),
          seconds: 1,
          warnings: [],
        });
        const ndjson = await told((write) => ndjsonReport({ write, selection: 'all', many: false }), batches);
        const parsed = ndjson.written
          .trimEnd()
          .split('\n')
          .map((one) => JSON.parse(one));
        expect(parsed.slice(0, -1)).toEqual(expected);
        expect(parsed.at(-1)).toMatchObject({ type: 'summary', ...ndjson.counts });
      }),
    );
  });

  it('keep their meaning when sanitized, and contain no terminal control sequences', () => {
    fc.assert(
      fc.property(text, (value) => {
        const shown = sanitizeJson(JSON.stringify({ value }));
        expect(JSON.parse(shown)).toEqual({ value });
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e]/);
      }),
    );
  });
});

describe('CSV form', () => {
  it('no cell is a formula', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('', '=', '\u0000@'), (value, start) => {
        expect(cell(start + value)).not.toMatch(/^"?[=+\-@\t\r]/);
      }),
    );
    expect(cell('=HYPERLINK("x")')).toBe(`"'=HYPERLINK(""x"")"`);
    expect(cell('-5')).toBe("'-5");
    expect(cell('a\u001b[2J')).toBe('a[2J');
    expect(cell('\u0001=1')).toBe("'=1");
  });

  it('has one row an item, whatever is in it', async () => {
    const { parse } = await import('csv-parse/sync');
    await fc.assert(
      fc.asyncProperty(fc.array(lines, { maxLength: 3 }), async (batches) => {
        const { written } = await told((write) => csvReport(write, { diff: false }), batches);
        const rows = parse(written, { columns: true, bom: true }) as { line: string; action: string }[];
        expect(rows.map(({ line, action }) => [line, action])).toEqual(
          batches.flat().map(({ action }, i) => [String(i + 2), action]),
        );
      }),
    );
  });
});

describe('table', () => {
  const refused = (external_id: string, reason: string): Given => ({
    external_id,
    reason,
    action: 'refused',
    notice: [],
  });
  const shown = async (width: number, given: readonly Given[], selection: 'refused' | 'none' = 'refused') =>
    (await told((write) => tableReport(write, { selection, many: false, look: { width, colour: false } }), [given]))
      .written;

  it('fits the window, however long its values are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 80, max: 120 }),
        fc.array(fc.lorem({ maxCount: 40 }), { minLength: 1, maxLength: 5 }),
        async (width, reasons) => {
          const written = await shown(
            width,
            reasons.map((reason) => refused(reason.slice(0, 60), reason)),
          );
          const body = written.split('\n').slice(2);
          expect(Math.max(...body.map((row) => row.length))).toBeLessThanOrEqual(width);
          for (const word of reasons.join(' ').split(' ')) expect(body.join(' ')).toContain(word.slice(0, 20));
        },
      ),
    );
  });

  it('fits the window with double-width characters, and loses none of them', async () => {
    const characters = fc.constantFrom('商', '品', '한', 'ｱ', '🫠', '👩‍👩‍👧‍👦', 'e\u0301', 'ü', 'x', ' ');
    const text = fc.array(characters, { minLength: 1, maxLength: 60 }).map((all) => all.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 80, max: 120 }),
        fc.array(text, { minLength: 1, maxLength: 5 }),
        async (width, texts) => {
          const written = await shown(
            width,
            texts.map((one) => refused(one, one)),
          );
          const body = written.split('\n').slice(2);
          for (const row of body) expect(stringWidth(row)).toBeLessThanOrEqual(width);
          for (const one of texts)
            expect(body.join('').replace(/\s/g, '')).toContain(one.replace(/\s/g, '').slice(0, 20));
        },
      ),
    );
  });

  it('shows no lines with --report none, and still the counts', async () => {
    const written = await shown(80, [refused('A', 'wrong')], 'none');
    expect(written).toContain('1 refused');
    expect(written.trim().split('\n')).toHaveLength(2);
  });

  it('counts notices by code and shows the first of each', async () => {
    const notice = [{ code: 'price_ignored', field: 'price', message: 'was not applied' }];
    const given = Array.from(
      { length: 300 },
      (): Given => ({ external_id: 'A', reason: '', action: 'created', notice }),
    );
    const written = await shown(80, given);
    expect(written).toMatch(/300 {2}price_ignored\n +first in line 2: price: was not applied/);
    expect(written.split('\n').length).toBeLessThan(10);
  });
});

describe('words', () => {
  it('text is cut at whole characters, and terminal control sequences are removed', () => {
    expect(ellipsize('😀😀😀', 2)).toBe('😀…');
    expect(ellipsize('abc', 3)).toBe('abc');
    expect(sanitizeText('a\u001b[31mb\r\nc\u009b')).toBe('a[31mb c');
  });

  it('progress: items, items a second, refused so far, share of the file read and time left', () => {
    const counts = { ...noCounts(), total: 12_000, refused: 3 };
    const words = (read: number, size: number | undefined) =>
      describeProgress({ file: 'feed.csv', counts, progress: () => ({ read, size }) }, 10);
    expect(words(25, 100)).toBe('feed.csv: 12,000 items, 1,200 a second, 3 refused, 25 % read, 0:30 left');
    expect(words(25, undefined)).toBe('feed.csv: 12,000 items, 1,200 a second, 3 refused');
    expect(words(100, 100)).toMatch(/100 % read$/);
    expect(words(1, 1000)).toMatch(/2:46:30 left$/);
  });
});
