// What a new form of reports needs beyond its file and its line: the help of the option, and the page of reports.
import { expect, it } from 'vitest';
import { reportForm } from '../../src/reporting/formats/report-file.js';
import { folder, typed } from '../cli/typed.js';
import { readPage } from '../manual/documentation.js';

/** Other extensions of forms that are there. */
const others = ['.jsonl', '.htm'];

function extensions(): string[] {
  try {
    reportForm('report.unknown');
  } catch (error) {
    const [, , listed = ''] = String(error).split(/(use one of )/);
    return listed.match(/\.\w+/g)?.filter((extension) => !others.includes(extension)) ?? [];
  }
  return [];
}

it('each form is in the help of --report-file, and in the page of reports', async () => {
  const known = extensions();
  expect(known).toContain('.csv');
  const { stdout } = await typed(folder(), ['products', '--help']);
  const { text } = readPage('reports');
  expect(known.filter((extension) => !stdout.includes(extension))).toEqual([]);
  expect(known.filter((extension) => !text.includes(`\`${extension}\``))).toEqual([]);
});
