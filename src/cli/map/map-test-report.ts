// The reports of `map test`: for people, and for CI.
import { counted } from '../../core/text/counted.js';
import { sanitizeText } from '../../core/text/sanitize.js';
import type { ExampleResult } from '../../source/mapping/examples/test-mapping.js';

export type MapTestForm = 'table' | 'tap' | 'junit' | 'json';

export interface MapTestResult {
  readonly map: string;
  readonly examples: readonly ExampleResult[];
  /** How many examples were written anew. */
  readonly updated: number;
}

const forms: Readonly<Record<MapTestForm, (results: readonly MapTestResult[]) => string>> = { table, tap, junit, json };

export function mapTestReport(form: MapTestForm, results: readonly MapTestResult[]): string {
  return forms[form](results);
}

interface TestLine {
  readonly map: string;
  readonly name: string;
  readonly isOk: boolean;
  readonly diff: readonly string[];
}

/** An example that was updated is as it is expected to be now. */
function testLines(results: readonly MapTestResult[]): TestLine[] {
  return results.flatMap(({ map, examples, updated }) =>
    examples.map(({ name, diff }) => ({ map, name, diff, isOk: diff.length === 0 || updated > 0 })),
  );
}

function table(results: readonly MapTestResult[]): string {
  const tests = testLines(results);
  const failed = tests.filter(({ isOk }) => !isOk);
  const updated = results.reduce((sum, one) => sum + one.updated, 0);
  const shown = failed.flatMap(({ map, name, diff }) => [
    `${sanitizeText(map)}: ${sanitizeText(name)} differs (- expected, + what the mapping makes)`,
    ...diff.map((line) => `  ${sanitizeText(line)}`),
    '',
  ]);
  const ended = updated > 0 ? `${updated} updated` : `${failed.length} differ`;
  return `${[...shown, `${counted(tests.length, 'examples')}: ${tests.length - failed.length - updated} as expected, ${ended}`].join('\n')}\n`;
}

function tap(results: readonly MapTestResult[]): string {
  const lines = testLines(results).flatMap(({ map, name, isOk, diff }, i) => [
    `${isOk ? 'ok' : 'not ok'} ${i + 1} - ${sanitizeText(`${map}: ${name}`).replace(/[\\#]/g, '\\$&')}`,
    // Lines that are alike begin with a blank: how far the text is indented has to be said.
    ...(isOk ? [] : ['  ---', '  diff: |2', ...diff.map((line) => `    ${sanitizeText(line)}`), '  ...']),
  ]);
  return `${['TAP version 14', `1..${testLines(results).length}`, ...lines].join('\n')}\n`;
}

/** As the schema of Jenkins has it (junit-10.xsd). */
function junit(results: readonly MapTestResult[]): string {
  const suites = results.map((result) => {
    const tests = testLines([result]);
    const cases = tests.map(({ map, name, isOk, diff }) => {
      const failure = isOk ? '' : `<failure message="differs">${xmlText(diff.join('\n'))}</failure>`;
      return `    <testcase classname="${xmlText(map)}" name="${xmlText(name)}">${failure}</testcase>\n`;
    });
    const failures = tests.filter(({ isOk }) => !isOk).length;
    return `  <testsuite name="${xmlText(result.map)}" tests="${tests.length}" failures="${failures}" errors="0">\n${cases.join('')}  </testsuite>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('')}</testsuites>\n`;
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function xmlText(text: string): string {
  return text
    .split('\n')
    .map((line) => sanitizeText(line).replace(/[&<>"]/g, (sign) => entities[sign] ?? ''))
    .join('\n');
}

function json(results: readonly MapTestResult[]): string {
  const tests = testLines(results).map(({ map, name, isOk, diff }) => ({ map, example: name, ok: isOk, diff }));
  return `${JSON.stringify({ tests }, undefined, 2)}\n`;
}
