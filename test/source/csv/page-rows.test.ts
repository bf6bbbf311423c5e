// Page headers, page numbers and totals within a table never become records without a word.
import { describe, expect, it } from 'vitest';
import { resources } from '../../../src/core/resources/index.js';
import { pageRows } from '../../../src/source/csv/page-rows.js';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import { suggestMapping } from '../../../src/source/mapping/suggest/suggest-mapping.js';
import { fileOf, readCsv } from '../given.js';

const list = `Preisliste 2026;;;
Stand: 1.1.;;;
;;;
Art;Name;Menge;Preis
A;Bohrer;1;1
Page 2 of 7;;;
Preisliste 2026;;;
Stand: 1.1.;;;
Art;Name;Menge;Preis
B;Säge;2;2
Seite 3
Zwischensumme:;;;3
Total Commander;Total Commander;1;9
C;Feile;3;3
Total EUR excl. VAT;;;15
`;

describe('rows of a page', () => {
  it('are found by inspect, and written into the mapping', async () => {
    const found = await inspectFile({ file: fileOf(list) });
    expect(found.found.skip).toBe(3);
    expect(found.columns.map(({ name }) => name)).toEqual(['Art', 'Name', 'Menge', 'Preis']);
    expect(found.troubles).toContainEqual({ what: '"Page": a page header or total, no record', count: 1, lines: [6] });
    const known = Object.fromEntries(resources.map(({ command, key, fields }) => [command, { key, fields }]));
    expect(suggestMapping(found, known).yaml).toContain('leave_out: ["Page","Seite","Zwischensumme","Total"]');
  });

  it('are skipped by their text and reported with their lines, as is the header of the next page', async () => {
    const read = { header: { containing: ['Art'] }, leave_out: ['Page', 'Seite', 'Zwischensumme', 'Total'] };
    const { items, lines, notes } = await readCsv(list, {
      mapped: {
        name: 'map.yaml',
        place: 'the mapping',
        tables: {},
        read,
        section: { to: 'products', fields: { sku: 'Art', name: 'Name' } },
      },
    });
    expect(items.map((item) => (item as { sku: string }).sku)).toEqual(['A', 'B', 'Total Commander', 'C']);
    expect(lines).toEqual([5, 10, 13, 14]);
    expect(notes).toEqual(
      expect.arrayContaining([
        '2 repeated title rows skipped',
        '1 repeated header row skipped (line 9)',
        '1 row left out by "Total" (line 15)',
      ]),
    );
  });

  it('may have a sum below every column of amounts', async () => {
    const { notes } = await readCsv(
      'SKU;Name;Preis;Bestand\nA;Bohrer;1;1\nSumme;;1,00 EUR;1\nTotal;Benzin;1;1\nTotal;x;;\n',
    );
    expect(notes.join()).toContain(
      'page headers or totals were read as records: "Summe" on line 3; "Total" on line 5.',
    );
  });

  it('may count the rows above it', async () => {
    const { notes } = await readCsv(
      'SKU;Name;Price;Net;Qty\nA;Drill;1;1;1\nTotal;40 items;43138.76;;7308\nSumme;3 Stk.;5;;\n',
    );
    expect(notes.join()).toContain('"Total" on line 3; "Summe" on line 4.');
    expect((await readCsv('SKU;Name;Price;Net\nTotal;Tea 40 bags;1;\n')).notes.join()).not.toContain('page headers');
  });

  it('may have a cell in every column, or a count in brackets', async () => {
    const header = 'SKU;Name;Price;Qty\nA;Drill;1;1\n';
    expect((await readCsv(`${header}Total;40;43138.76;7308\n`)).notes.join()).toContain('"Total" on line 3.');
    expect((await readCsv(`${header}Grand total (40 items);;;7308\n`)).notes.join()).toContain(
      '"Grand total" on line 3.',
    );
    expect((await readCsv('SKU;Price;Qty\nShell;1;1\nTotal;1;2\n')).notes.join()).not.toContain('page headers');
  });

  it('are reported where no rule skips them', async () => {
    const { notes } = await readCsv('sku,name,price,tag\nA,x,1,\nTotal,,1,\nStrona 2,,,\n');
    expect(notes.join()).toContain(
      '"Total" on line 3; "Strona" on line 4. Leave them out with read: { leave_out: ["Total", "Strona"] }',
    );
  });

  it.each([
    ['Page 2 of 7', 'Page'],
    ['Seite: 3', 'Seite'],
    ['Страница 4', 'Страница'],
    ['Стр. 5 из 9', 'Стр'],
    ['Strona nr 12', 'Strona'],
    ['ページ 3', 'ページ'],
    ['صفحة ٣', 'صفحة'],
    ['Subtotal', 'Subtotal'],
    ['Gesamtsumme EUR', 'Gesamtsumme'],
    ['Übertrag 12,50', 'Übertrag'],
    ['Blatt 1', 'Blatt'],
    ['SIDA 2', 'SIDA'],
    ['trang 3', 'trang'],
    ['GRAND TOTAL 9', 'GRAND TOTAL'],
    ['Zwischensumme', 'Zwischensumme'],
    ['Endsumme', 'Endsumme'],
    ['sous-total', 'sous-total'],
    ['Carried forward', 'Carried forward'],
  ])('%s is one', (text, word) => {
    const rows = pageRows([]);
    expect(rows.sees([text, '', ''], 1)).toBe('doubted');
    expect(rows.seen()).toMatchObject([{ word, count: 1, lines: [1] }]);
  });

  it.each([['Total Commander'], ['Pagers 3'], ['Page turner'], ['Sumatra 250 g'], ['Total-Reiniger 500 ml'], ['P-1']])(
    '%s is none',
    (text) => {
      const rows = pageRows([]);
      rows.sees([text, '', ''], 1);
      expect(rows.seen()).toEqual([]);
    },
  );
});
