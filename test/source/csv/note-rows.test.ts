// Rows of a table with words in a single cell that are neither records nor titles of sections for sure.
import { describe, expect, it } from 'vitest';
import { inspectFile } from '../../../src/source/inspection/inspect-file.js';
import { fileOf } from '../given.js';
import { suggested } from '../suggested.js';

const rows = 'M-1;Hammer;19,90;12\nM-2;Zange;9,90;5\n';
const more = 'M-3;Säge;24,90;0\nM-4;Feile;8,90;3\n';
const header = 'Art.-Nr.;Bezeichnung;VK;Bestand\n';

/** The line of a suggestion that leaves out rows, without what it says of them. */
const skipIn = (yaml: string): string | undefined => /^skip: .*?(?= {3}#)/m.exec(yaml)?.[0];

describe('are left out by a suggestion', () => {
  it.each([
    ['a title alone', `${header}${rows}Werkzeug klein;;;\n${more}`, 'line 4'],
    ['a note below the table', `${header}${rows}${more}Preise ohne Gewähr, Stand 11/2026;;;\n`, 'line 6'],
    ['a note below an empty row', `${header}${rows}${more};;;\n;;;\nPreise ohne Gewähr, Stand 11/2026;;;\n`, 'line 8'],
    ['a note next to another', `${header}${rows}${more};;MwSt. 19 %;\nPreise ohne Gewähr;;;\n`, 'lines 6, 7'],
    ['both', `${header}${rows}Werkzeug klein;;;\n${more}Preise ohne Gewähr, Stand 11/2026;;;\n`, 'lines 4, 7'],
  ])('%s', async (_, content, lines) => {
    const { yaml, fields } = await suggested(content);
    expect(skipIn(yaml)).toBe('skip: { of: "Bezeichnung", empty: true }');
    expect(yaml).toContain(`# titles and notes: ${lines}\n`);
    expect(fields).toMatchObject({ sku: 'Art.-Nr.', name: 'Bezeichnung', price: 'VK' });
  });

  it('next to a row of units', async () => {
    const units = 'Art.-Nr.;Bezeichnung;Gewicht;VK\n;;kg;EUR\n';
    const { yaml } = await suggested(`${units}${rows}${more}Preise ohne Gewähr;;;\n`);
    expect(skipIn(yaml)).toMatch(
      /^skip: \[\{ of: "Bezeichnung", empty: true \}, \{ of: "(?:Gewicht|VK)", is: "(?:kg|EUR)" \}\]$/,
    );
  });
});

it.each([
  ['a row that has only a code', `${header}${rows}M-9;;;\n${more}`],
  ['titles of sections', `${header}Werkzeug;;;\n${rows}Sägen;;;\n${more}`],
  ['another picture of the row above', `${header}${rows};;;b.jpg\n${more}`],
  ['what goes on with the last row', `${header}${rows};;;b.jpg\n${more};;;c.jpg\n`],
  ['what goes on with a row above a note', `${header}${rows};;;b.jpg\n${more}Preise ohne Gewähr;;;\n`],
  ['no such row', header + rows + more],
])('%s is not', async (_, content) => {
  expect(skipIn((await suggested(content)).yaml)).toBeUndefined();
});

it('a row without a value is no record', async () => {
  const feed = fileOf(`${header}${rows};;;\n${more};;;\n`, 'feed.csv');
  const { records, columns, troubles } = await inspectFile({ file: feed });
  expect([records, columns.map(({ filled }) => filled), troubles]).toEqual([4, [4, 4, 4, 4], []]);
});
