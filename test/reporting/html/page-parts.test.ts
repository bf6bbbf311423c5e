// The parts of a page: text that stays text, rows as they were sent, limits that hold for any import.
import { inflateRawSync } from 'node:zlib';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noCounts } from '../../../src/core/report-counts.js';
import { causeCollector } from '../../../src/reporting/html/collect/cause-collector.js';
import { changeCollector } from '../../../src/reporting/html/collect/change-collector.js';
import { rawCells } from '../../../src/reporting/html/collect/raw-cells.js';
import { refusedCollector } from '../../../src/reporting/html/collect/refused-collector.js';
import { sampleCollector } from '../../../src/reporting/html/collect/sample-collector.js';
import { tickCollector } from '../../../src/reporting/html/collect/tick-collector.js';
import { html } from '../../../src/reporting/html/markup/markup.js';
import { visiblePieces, visibleText } from '../../../src/reporting/html/markup/visible-text.js';
import type { RefusedRow } from '../../../src/reporting/html/refused-row.js';
import { renderRun } from '../../../src/reporting/html/render-run.js';
import type { RunReport } from '../../../src/reporting/html/run-report.js';
import { anyCharacter } from '../../any-character.js';
import { isFast } from '../../tier.js';

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

describe('text in markup', () => {
  it('round-trips through an HTML parser, and never becomes markup', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const { text: markup } = html`<p>${text}</p>`;
        const inside = markup.slice(3, -4).replaceAll(/<i class="u">|<\/i>/g, '');
        expect(inside).not.toMatch(/[<>"']/);
        expect(inside.replaceAll(/&([a-z]+|#39);/g, (_, name: string) => entities[name] ?? '?')).toBe(
          visibleText(text),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('contains no invisible characters and no changes of text direction', () => {
    const unseen = [0, 7, 0x1b, 0x7f, 0x85, 0x9b, 0xad, 0x61c, 0x200b, 0x200e, 0x202e, 0x2028, 0x2066, 0x2069, 0xfeff];
    for (const point of [...unseen, 0xd800, 0xdfff, 0xfff9, 0xe0041]) {
      const sign = String.fromCodePoint(point);
      expect(
        visiblePieces(`a${sign}b`).map(({ isNamed }) => isNamed),
        point.toString(16),
      ).toEqual([false, true, false]);
    }
    for (const plain of ['é', '日本', 'שלום', '👩‍👩‍👧', 'می‌خواهم', ' ', '–']) expect(visibleText(plain)).toBe(plain);
  });
});

describe('a refused row', () => {
  it('is split as a CSV reader splits it', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', 'ä', ' ', ';') });
    fc.assert(
      fc.property(fc.array(cell, { minLength: 1, maxLength: 6 }), fc.constantFrom(',', ';'), (cells, delimiter) => {
        const raw = cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(delimiter);
        const [expected] = parse(raw, { delimiter });
        expect(rawCells(raw, { format: 'csv', delimiter }).cells).toEqual(expected);
      }),
    );
    expect(rawCells('a,,"b ""c"""', { format: 'csv', delimiter: ',' }).cells).toEqual(['a', '', 'b "c"']);
    expect(rawCells('Title only\nA,1', { format: 'csv', delimiter: ',' }).cells).toEqual(['A', '1']);
    expect(rawCells('{"sku":"A","grades":[{"x":1}]}', { format: 'ndjson', delimiter: undefined })).toMatchObject({
      names: ['sku', 'grades'],
      cells: ['A', '[{"x":1}]'],
    });
    expect(rawCells('{"sku":', { format: 'ndjson', delimiter: undefined }).cells).toEqual(['{"sku":']);
  });

  it('is kept within bounds: cells of a megabyte, a thousand cells, a hundred thousand rows', () => {
    const collector = refusedCollector();
    const big: RefusedRow = {
      f: 0,
      l: 1,
      k: 'k'.repeat(1e6),
      c: 0,
      code: 'field_format',
      reason: 'r'.repeat(1e6),
      cells: Array.from({ length: 1_000 }, (_, i) => (i === 7 ? 'x'.repeat(1e6) : `${i}`)),
      bad: [7],
    };
    collector.add(big);
    for (let i = 0; i < 100_000; i++)
      collector.add({ ...big, l: i, k: `${i}`, reason: `${i}`, cells: [`${Math.sin(i)}`] });
    const { first, packed } = collector.report([]);
    const rows = packed.flatMap(({ text }) => JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString()));
    expect([first.length, rows.length, collector.isFull]).toEqual([500, 20_000, true]);
    expect(rows.slice(0, 500)).toEqual(JSON.parse(JSON.stringify(first)));
    expect(JSON.stringify(first[0]).length).toBeLessThan(20_000);
    expect(first[0]?.cells?.[7]).toMatch(/^x{2000}… \(998000 more characters\)$/);
  });
});

const emptyReport: RunReport = {
  version: '0.1.0',
  started: new Date(0),
  command: 'run',
  target: 'catalog.db',
  dryRun: false,
  options: {},
  exit: 0,
  seconds: 1,
  counts: noCounts(),
  ended: [],
  asked: ['feed.csv'],
  files: [],
  rootCauses: [],
  causes: [],
  otherRefusals: 0,
  missing: [],
  missingJson: '',
  notices: [],
  refused: { first: [], packed: [], heads: [] },
  samples: { created: [], updated: [], deactivated: [] },
  deactivated: 0,
  ticks: [],
  warnings: [],
  guards: [],
  everyLine: [],
};

describe('a page', () => {
  const nasty = '<b>\u202e"&'.repeat(40);
  // Each row has its own part of a text that cannot be packed well.
  let noise = '';
  for (let state = 1; noise.length < 1_000_000; noise += state.toString(36))
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  const noisy = (length: number, seed: number) => noise.slice((seed * 151) % 999_000).slice(0, length);

  it.skipIf(isFast)(
    'has at most 5 MB where everything in it is as large as it may be, and says what it leaves out',
    () => {
      const refused = refusedCollector();
      const causes = causeCollector();
      for (let i = 0; i < 30_000; i++) {
        const cells = Array.from({ length: 6 }, (_, c) => noisy(150, i * 7 + c));
        refused.add({ f: 0, l: i, k: noisy(40, i), c: i % 300, code: 'field_format', reason: nasty, cells, bad: [1] });
        causes.add({
          code: 'field_format',
          column: `${nasty}${i}`,
          isColumn: true,
          resource: 'products',
          place: { file: 0, line: i },
          key: nasty,
          reason: nasty,
        });
      }
      const columns = Array.from({ length: 1_000 }, (_, i) => ({
        name: `${nasty.slice(0, 190)}${i}`,
        fields: ['name'],
        filled: i,
      }));
      const counts = { ...noCounts(), refused: 30_000, total: 30_000 };
      const files = Array.from({ length: 500 }, (_, i) => ({
        file: `${i}${nasty}`,
        resource: 'products',
        counts,
        seconds: 1,
        form: 'csv',
        columns,
        leftOut: 0,
        notes: [nasty],
      }));
      const report: RunReport = {
        ...emptyReport,
        exit: 3,
        counts,
        asked: files.map(({ file }) => file),
        files,
        ...causes.report(),
        missing: Array.from({ length: 500 }, (_, i) => ({
          characteristic: nasty,
          value: nasty,
          count: i,
          line: i,
          nearest: nasty,
          file: 0,
        })),
        missingJson: 'x'.repeat(200_000),
        refused: refused.report([columns.map(({ name }) => name)]),
        everyLine: ['all.ndjson'],
      };
      const text = renderRun(report, { script: 's'.repeat(20_000), style: 'c'.repeat(20_000) });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000_000);
      const [, kept = '0'] = /the first ([\d,]+) are in this page/.exec(text) ?? [];
      expect(Number(kept.replace(',', ''))).toBeGreaterThan(500);
      expect(text).toContain('all.ndjson');
      expect(text).toContain('have other causes');
      expect(text).not.toMatch(/<b>\u202e|\u202e/);
    },
  );

  it('shows warnings with their meaning, those of ordinary runs last', () => {
    const warning = (code: string, message: string) => ({ code, message, params: {} });
    const warnings = [warning('records_missing', 'erp: 1 is <gone>'), warning('file_repeated', 'a.csv: again')];
    const page = renderRun({ ...emptyReport, warnings }, { script: '', style: '' });
    expect(page).toContain('erp: 1 is &lt;gone&gt;');
    expect(page.indexOf('a.csv: again')).toBeLessThan(page.indexOf('erp: 1 is'));
    expect(page).toContain('Same file as an earlier run');
  });

  it('of a blocked run shows its guards, what they found, and the commands that look and go on', () => {
    const figure = (guard: string, words: string, passed: boolean) => ({
      ...{ guard, option: '--max-price-change', resource: 'product', against: 'last' as const, count: 30, back: 0 },
      ...{ of: 590, limit: 0.05, passed, words },
    });
    const change = { field: 'price', from: '10.00', to: '<b>1000.00' };
    const offender = { place: 'line 8', key: 'A-7', words: 'price', change };
    const guards = [
      figure('created', '3 would be created', true),
      { ...figure('price_changed', '30 would change', false), offenders: [offender], more: 29 },
    ];
    const next = { look: 'catalog-import plan show blocked-2.plan', goOn: 'catalog-import apply blocked-2.plan' };
    const report = { ...emptyReport, guards, next, stopped: 'guard_stopped', failure: 'long text' };
    const page = renderRun(report, { script: '', style: '' });
    for (const words of ['A-7', '10.00', '&lt;b&gt;1,000.00', '… and 29 more', next.look, next.goOn, 'stopped the run'])
      expect(page.replace(/<[^>]*>/g, '')).toContain(words);
    const feedEnd = { records: [], notes: ['erp: one would be missing'] };
    const sections = (of: typeof guards) =>
      renderRun({ ...emptyReport, guards: of, feedEnd }, { script: '', style: '' }).match(/(?<=<h2[^>]*>)[^<]+/g) ?? [];
    expect(sections(guards).filter((one) => /Guards|At the end/.test(one))).toEqual([
      'Guards',
      'At the end of the run',
    ]);
    const passed = sections(guards.slice(0, 1)).filter((one) => /Guards|At the end/.test(one));
    expect(passed).toEqual(['At the end of the run', 'Guards']);
    // An undo, and a feed that is retired, have no rows before their end.
    const ending = {
      ...feedEnd,
      records: [{ effect: 'restored', resource: 'product', count: 1, keys: ['A'] }],
    } as const;
    const undone = renderRun({ ...emptyReport, asked: [], feedEnd: ending }, { script: '', style: '' });
    expect(undone).toMatch(/<h2[^>]*>What changed/);
    expect(undone).not.toMatch(/end of the run/i);
    expect(page).not.toContain('long text');
    expect(page.indexOf('30 would change')).toBeLessThan(page.indexOf('3 would be created'));
  });

  it('of causes has bars and shares of all rows with a cause of their own: 3 of 3 are 100 %', () => {
    const cause = (code: string, count: number) => ({
      ...{ code, count, column: 'price', isColumn: true, resource: 'products' },
      ...{ places: [{ file: 0, line: 2 }], example: { key: 'A', reason: 'why' } },
    });
    const sharesOf = (causes: readonly ReturnType<typeof cause>[], followed: number): string[] => {
      const rootCauses = [{ what: 'category', name: 'X', file: 'c.csv', line: 2, followed: [['products', followed]] }];
      const report = { ...emptyReport, causes, ...(followed > 0 && { rootCauses }) } as RunReport;
      const refused = causes.reduce((sum, { count }) => sum + count, followed);
      const shown = renderRun({ ...report, counts: { ...noCounts(), refused, total: 10 } }, { script: '', style: '' });
      const found = shown.matchAll(/class="fill" width="([^"]+)".*?<b>(\d+)<\/b><span class="dim">([^<]+)</g);
      return [...found].map(([, width, count, share]) => `${count}: ${share}, bar ${width}`);
    };
    expect(sharesOf([cause('field_format', 3)], 0)).toEqual(['3: 100 %, bar 100.00']);
    expect(sharesOf([cause('field_format', 3)], 2)).toEqual(['3: 100 %, bar 100.00']);
    expect(sharesOf([cause('field_format', 3), cause('field_type', 1)], 0)).toEqual([
      '3: 75 %, bar 75.00',
      '1: 25 %, bar 25.00',
    ]);
  });

  it('shows throughput for a run that was long, or had to wait for a remote, and for no other', () => {
    const counts = { ...noCounts(), created: 900, total: 900 };
    const ticks = [
      { seconds: 0, total: 0 },
      { seconds: 30, total: 300 },
      { seconds: 60, total: 900 },
    ];
    const pageOf = (more: Partial<RunReport>): string =>
      renderRun({ ...emptyReport, counts, ticks, ...more }, { script: '', style: '' });
    const long = pageOf({ seconds: 60 });
    expect(long).toContain('900 items in 1 min 0 s, 15 a second on average, 20 at best.');
    expect(long.match(/<td class="num" data-label="Items a second">(\d+)</g)).toHaveLength(12);
    expect(long).toContain('<svg class="area"');
    expect(pageOf({ seconds: 5 })).not.toContain('id="throughput"');
    expect(pageOf({ seconds: 5, waits: { count: 2, seconds: 3 } })).toContain('waited for 2 times, 3.0 s in all');
  });

  it('reduces progress over time to a bounded number of points', () => {
    const ticks = tickCollector();
    for (let i = 1; i <= 100_000; i++) ticks.add(i);
    expect(ticks.report().length).toBeLessThan(300);
    expect(ticks.report().at(-1)?.total).toBe(100_000);
  });
});

describe('changes', () => {
  it.each([
    [1, 'The largest jump, old to new'],
    [2, 'The 2 largest jumps, old to new'],
  ])('%i of prices have the title: %s', (count, title) => {
    const changes = changeCollector();
    for (let i = 0; i < count; i++)
      changes.add([{ field: 'price', from: '1.00', to: `${i + 2}.00` }], `S-${i}`, { file: 0, line: i + 2 });
    const shown = renderRun({ ...emptyReport, changes: changes.report() }, { script: '', style: '' });
    expect(shown).toContain(`<caption>${title}</caption>`);
  });

  it('of prices are reported by how much, those by a power of ten apart, and the largest first', () => {
    const changes = changeCollector();
    const price = (from: string, to: string, key: string) =>
      changes.add([{ field: 'price', from, to }], key, { file: 0, line: 1 });
    price('10.00', '1000.00', 'hundredfold');
    price('10.00', '1.00', 'tenth');
    price('10.00', '10.20', 'a little');
    price('0.00', '5.00', 'from nothing');
    price('5.00', '0.00', 'to nothing');
    changes.add([{ field: 'grades[like_new].price', from: '10.00', to: '100.00' }], 'grade', { file: 0, line: 1 });
    changes.add(
      [
        { field: 'stock', from: 3, to: 0 },
        { field: 'status', from: 'draft', to: 'activated' },
      ],
      'x',
      { file: 0, line: 1 },
    );
    const { prices, stock, status, fields } = changes.report();
    expect(prices).toMatchObject({ changed: 6, up: 4, down: 2 });
    expect(prices.powers).toEqual([
      { factor: '×100', count: 1 },
      { factor: '×10', count: 1 },
      { factor: '÷10', count: 1 },
    ]);
    expect(prices.jumps.map(({ key }) => key)).toEqual(['to nothing', 'hundredfold', 'tenth', 'grade', 'a little']);
    expect(prices.buckets.filter(({ count }) => count > 0).map(({ label, count }) => `${label}: ${count}`)).toEqual([
      'to a tenth or less: 2',
      '0 to +5 %: 1',
      '×10 and more: 2',
      'from 0: 1',
    ]);
    expect([stock, status]).toEqual([[{ what: 'sold out', count: 1 }], [{ from: 'draft', to: 'activated', count: 1 }]]);
    expect(fields[0]).toEqual({ field: 'price', count: 5 });
  });

  it('count a price once that comes from a grade, and a field once for a record', () => {
    const changes = changeCollector();
    const entries = (name: string) =>
      ['new', 'good'].map((grade) => ({ field: `grades[${grade}].${name}`, from: '2.00', to: '3.00' }));
    const own = ['price', 'stock', 'status'].map((field) => ({ field, from: '2.00', to: '3.00' }));
    changes.add([...own, ...entries('price'), ...entries('status')], 'graded', { file: 0, line: 2 });
    const { prices, fields, stock, records } = changes.report();
    expect([prices.changed, records, stock.length]).toEqual([2, 1, 1]);
    expect(fields).toEqual(
      ['stock', 'status', 'grades[].price', 'grades[].status'].map((field) => ({ field, count: 1 })),
    );
  });
});

describe('samples', () => {
  const keysOf = (files: readonly number[]): string[] => {
    const samples = sampleCollector();
    files.forEach((count, file) => {
      for (let i = 0; i < count; i++)
        if (samples.wants(file)) samples.add({ file, line: i, key: `${file}-${i}`, id: '', changes: [], words: '' });
    });
    return samples.report().map(({ key }) => key);
  };
  const first = (file: number, count: number): string[] => Array.from({ length: count }, (_, i) => `${file}-${i}`);

  it.each<[string, number[], string[]]>([
    ['one file gives the first of it', [50], first(0, 20)],
    ['files share them', [50, 50], [...first(0, 10), ...first(1, 10)]],
    ['a small file gives what it has', [50, 3, 50], [...first(0, 9), ...first(1, 3), ...first(2, 8)]],
    [
      'of many files each gives one',
      Array.from({ length: 30 }, () => 9),
      Array.from({ length: 30 }, (_, i) => `${i}-0`),
    ],
  ])('are from all files: %s', (_, files, expected) => {
    expect(keysOf(files)).toEqual(expected);
  });

  it('are of at most a hundred files', () => {
    expect(keysOf(Array.from({ length: 500 }, () => 3))).toHaveLength(100);
  });
});
